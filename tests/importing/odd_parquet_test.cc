// What few Parquet tables have, from files of other writers: tests/tools/parquet_files.py makes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "importing/rows.h"
#include "support/errors.h"
#include "support/temporary.h"
#include "wordbreadth/import.h"

namespace wordbreadth {
namespace {

// Two rows of "a" and two of "b", in turn.
class OddParquet : public testing::Test {
  protected:
    using Columns = std::vector<std::pair<std::string, std::string>>;

    ImportSummary import(const std::string& name, const Columns& columns = {}) {
        ImportOptions options;
        options.from = TESTS_DIR "/data/parquet/odd/" + name + ".parquet";
        options.out = out();
        options.columns = columns;
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

// The type that pandas, polars and DuckDB give a column without any value.
TEST_F(OddParquet, ColumnsOfNullTypeAreAsIfTheyWereNotThere) {
    EXPECT_FALSE(import("null_polars").has_texts);
    std::filesystem::remove_all(out());
    EXPECT_FALSE(import("null_duckdb").has_texts);
    std::filesystem::remove_all(out());
    EXPECT_TRUE(import("null_arrow").has_texts);  // of the second name for texts
    EXPECT_EQ(Store(out()).occurrences(1)[1].text, "b four");
}

TEST_F(OddParquet, AColumnOfNullTypeIsNoWord) {
    ImportOptions options;
    options.from = TESTS_DIR "/data/parquet/odd/null_arrow.parquet";
    options.out = out();
    options.columns = {{"word", "text"}};
    EXPECT_EQ(error_of([&] { import_vectors(options); }),
              options.from + ": column \"text\": has the type null; expected strings");
}

TEST_F(OddParquet, DocumentsMayBeUnsignedNumbers) {
    EXPECT_EQ(import("unsigned_documents").documents, 3U);
    const Store store(out());
    EXPECT_EQ(store.occurrences(0)[0].document, "9223372036854775808");
    EXPECT_EQ(store.occurrences(1)[0].document, "18446744073709551615");
    EXPECT_EQ(store.occurrences(0)[1].document, "7");
}

// As pandas has them where some rows have none.
TEST_F(OddParquet, SpansMayBeWholeRealNumbers) {
    EXPECT_EQ(import("real_spans").spans_found, 2U);
    const Store store(out());
    EXPECT_EQ(store.occurrences(0)[0].end, 5U);
    EXPECT_EQ(store.occurrences(1)[0].end, 1U);
}

// Its fields are columns of their own, whatever the usual name of the span.
TEST_F(OddParquet, ASpanMayBeAStructOfAnyOfItsNames) {
    EXPECT_EQ(import("struct_of_offsets").spans_found, 0U);
    const Store store(out());
    EXPECT_EQ(store.occurrences(0)[0].start, 2U);
    EXPECT_EQ(store.occurrences(1)[1].end, 6U);
}

// They are several columns, none of which is a text.
TEST_F(OddParquet, ListsOfStructsAndMapsMayHaveUsualNames) {
    EXPECT_TRUE(import("lists_of_structs").has_texts);
    EXPECT_EQ(Store(out()).occurrences(1)[1].text, "b four");
}

TEST_F(OddParquet, ATypeThatIsRefusedIsNotCalledTheOneThatIsExpected) {
    EXPECT_NE(error_of([&] {
                  import("other_types", {{ "document", "day" }});
              }).find("has the type int32 (a date, time or decimal); expected strings or integers"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  import("other_types", {{ "vector", "matrix" }});
              }).find("has the type list of list of double; expected lists of float16, float or double"),
              std::string::npos);
}

// Texts are most of the memory then.
TEST_F(OddParquet, ShortVectorsDoNotMakeForManyTextsAtATime) {
    const auto source =
        importing::open_parquet(TESTS_DIR "/data/parquet/odd/short_vectors.pq", importing::RoleNames({}));
    std::size_t most = 0, all = 0;
    source->read(importing::Part::places, [&](importing::RowBatch& batch) {
        most = std::max(most, batch.places.size());
        all += batch.places.size();
    });
    EXPECT_EQ(all, 30'000U);
    EXPECT_LT(most, 16'384U);
}

TEST_F(OddParquet, AnEncryptedColumnIsNotDamaged) {
    ImportOptions options;
    options.from = TESTS_DIR "/data/parquet/odd/encrypted_texts.pq";
    options.out = out();
    EXPECT_EQ(error_of([&] { import_vectors(options); }),
              options.from + ": column \"text\": is encrypted; write the file again without encryption");
}

TEST_F(OddParquet, AWordThatIsNotUtf8IsCalledAWord) {
    EXPECT_NE(error_of([&] {
                  import("latin_words", {{ "word", "latin" }});
              }).find("row 1: its word is not UTF-8: the byte 0xE9 at byte 3; convert the file"),
              std::string::npos);
}

TEST_F(OddParquet, ASpanThatLacksAnEndIsNamedAsSuch) {
    EXPECT_NE(
        error_of([&] { import("null_in_span"); }).find("row 1: \"b\" has the span 0 to nothing; expected a start"),
        std::string::npos);
}

}  // namespace
}  // namespace wordbreadth
