// Columns and keys that are named by the user.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/errors.h"
#include "support/temporary.h"
#include "wordbreadth/import.h"

namespace wordbreadth {
namespace {

using Columns = std::vector<std::pair<std::string, std::string>>;

constexpr const char* lines =
    "{\"word\": \"a\", \"vector\": [1, 2], \"target\": \"a one\", \"label\": \"d\", \"where\": {\"start\": 2, \"end\": "
    "3}}\n"
    "{\"word\": \"b\", \"vector\": [2, 1], \"target\": \"b two\", \"label\": \"e\", \"where\": {\"start\": 2, \"end\": "
    "4}}\n"
    "{\"word\": \"a\", \"vector\": [1, 3], \"target\": \"a three\", \"label\": \"d\", \"where\": {\"start\": 2, "
    "\"end\": 5}}\n"
    "{\"word\": \"b\", \"vector\": [3, 1], \"target\": \"b four\", \"label\": \"e\", \"where\": {\"start\": 2, "
    "\"end\": 6}}\n";

// The same rows in both formats.
class NamedColumns : public testing::TestWithParam<std::string> {
  protected:
    NamedColumns() { folder_.add("named.jsonl", lines); }

    [[nodiscard]] std::string file() const {
        return GetParam() == "jsonl" ? folder_.path() + "/named.jsonl" : TESTS_DIR "/data/parquet/odd/named.parquet";
    }
    [[nodiscard]] std::string out() const { return folder_.path() + "/store"; }

    ImportSummary import(const Columns& columns) const {
        std::filesystem::remove_all(out());
        ImportOptions options;
        options.from = file();
        options.out = out();
        options.columns = columns;
        return import_vectors(options);
    }

    [[nodiscard]] std::string complaint(const Columns& columns) const {
        return error_of([&] { import(columns); });
    }

  private:
    TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Import, NamedColumns, testing::Values("jsonl", "parquet"),
                         [](const auto& instance) { return instance.param; });

TEST_P(NamedColumns, WinOverTheUsualNamesOfOthers) {
    EXPECT_EQ(import({}).documents, 0U);
    const ImportSummary summary = import({{"document", "label"}, {"text", "target"}});
    EXPECT_EQ(summary.documents, 2U);
    EXPECT_TRUE(summary.has_texts);
    EXPECT_EQ(summary.words, 2U);
}

TEST_P(NamedColumns, ThatAreMissingAreErrorsThatListThoseThereAre) {
    for (const std::string role : {"document", "text", "start", "span", "word", "vector"}) {
        const std::string error = complaint({{role, "wheree"}});
        EXPECT_NE(error.find("\"wheree\"; it has \"word\", \"vector\", \"target\""), std::string::npos) << error;
        EXPECT_FALSE(std::filesystem::exists(out()));
    }
}

TEST_P(NamedColumns, MayBeASpanWithFields) {
    import({{"text", "target"}, { "span", "where" }});
    const Store store(out());
    EXPECT_EQ(store.occurrences(0)[1].start, 2U);
    EXPECT_EQ(store.occurrences(0)[1].end, 5U);
}

TEST_P(NamedColumns, AreNamedForOneThing) {
    EXPECT_EQ(complaint({{"document", "label"}, {"text", "label"}}),
              "column \"label\": is named for document and for text; name one for each");
    const Columns all{{"vector", "word"}, {"text", "lemma"}, {"start", "target"},
                      {"end", "term"},    {"span", "token"}, {"document", "label"}};
    EXPECT_EQ(complaint(all), "column \"word\": all its usual names were given to others; name it, too");
}

}  // namespace
}  // namespace wordbreadth
