// What few Parquet tables have, from files of other writers: tests/tools/parquet_files.py makes them.
#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/temporary.h"
#include "wordbreadth/import.h"

namespace wordbreadth {
namespace {

// Two rows of "a" and two of "b", in turn.
class OddParquet : public testing::Test {
  protected:
    ImportSummary import(const std::string& name) {
        ImportOptions options;
        options.from = TESTS_DIR "/data/parquet/odd/" + name + ".parquet";
        options.out = out();
        return import_vectors(options);
    }
    [[nodiscard]] std::string out() const { return folder_.path() + "/store"; }

  private:
    TemporaryFolder folder_;
};

TEST_F(OddParquet, ARowGroupOfNullsMayBeCompressedWithGzip) {
    import("gzip_nulls");
    const Store store(out());
    EXPECT_EQ(store.occurrences(0)[0].text, "a");  // of the first group
    EXPECT_EQ(store.occurrences(0)[1].text, "a three");
}

TEST_F(OddParquet, ValuesSplitByBytesMayHaveNullsAmongThem) {
    EXPECT_EQ(import("split_nulls").documents, 2U);
    const Store store(out());
    EXPECT_EQ(store.occurrences(0)[0].document, "1");
    EXPECT_EQ(store.occurrences(0)[1].document, "2");
    EXPECT_EQ(store.occurrences(1)[0].document, "");
}

}  // namespace
}  // namespace wordbreadth
