// Against pyarrow, polars and DuckDB as they are today, with all their usual options.
#include <gtest/gtest.h>

#include <filesystem>

#include "report/table/table.h"
#include "support/python.h"
#include "support/temporary.h"
#include "wordbreadth/import.h"

namespace wordbreadth {
namespace {

constexpr const char* script = TESTS_DIR "/tools/parquet_files.py";

TEST(ParquetLive, FilesOfOtherWritersAreImported) {
    const TemporaryFolder folder;
    const auto outcome = encoder::tokenizer::run_python({script, "write", folder.path()});
    if (outcome.code == 77) GTEST_SKIP() << outcome.output << ": " << encoder::tokenizer::how_to_install();
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    ImportOptions options;
    options.from = folder.path() + "/rows.jsonl";
    options.out = folder.path() + "/json";
    import_vectors(options);
    const Store expected(options.out);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        if (entry.path().extension() != ".parquet") continue;
        SCOPED_TRACE(entry.path().filename().string());
        ++files;
        options.from = entry.path().string();
        options.out = folder.path() + "/store" + std::to_string(files);
        ASSERT_NO_THROW(import_vectors(options));
        const Store store(options.out);
        for (std::size_t word = 0; word < expected.words().size(); ++word) {
            ASSERT_TRUE(std::ranges::equal(store.rows(word), expected.rows(word)));
            const auto found = store.occurrences(word), wanted = expected.occurrences(word);
            for (std::size_t row = 0; row < wanted.size(); ++row) {
                ASSERT_EQ(found[row].text, wanted[row].text);
                ASSERT_EQ(found[row].start, wanted[row].start);
                ASSERT_EQ(found[row].end, wanted[row].end);
                ASSERT_EQ(found[row].document, wanted[row].document);
            }
        }
    }
    EXPECT_GE(files, 40U);
}

TEST(ParquetLive, TablesAreReadByOtherReaders) {
    using report::Value;
    struct Row {
        std::size_t number = 0;
    };
    const auto unless_third = [](auto value) {
        return [=](const Row& row) { return row.number % 3 == 0 ? std::nullopt : std::optional(value(row.number)); };
    };
    std::vector<Row> rows(70'000);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].number = i;
    const report::Table table = report::table_of<Row>(
        "table", "", std::move(rows),
        {{"word", unless_third([](std::size_t i) { return "wörd " + std::to_string(i % 777); })},
         {"count", unless_third([](std::size_t i) { return i; })},
         {"large", [](const Row& row) { return ~std::uint64_t{row.number}; }},
         {"real", unless_third([](std::size_t i) { return 1 / (1.0 + static_cast<double>(i)); })},
         {"truth", unless_third([](std::size_t i) { return i % 2 == 0; })},
         {"few", [](const Row& row) { return static_cast<double>(row.number % 5); }},
         {"no_text", [](const Row&) { return std::optional<std::string>(); }},
         {"no_number", [](const Row&) { return std::optional<double>(); }},
         {"late", [](const Row& row) { return row.number < 69'999 ? std::nullopt : std::optional(row.number); }},
         {"rate", "rate", report::look::rate, [](const Row& row) {
              const double value = static_cast<double>(row.number % 10) / 16;
              return Rate{1, 2, value, value / 2, 1};
          }}});
    const TemporaryFile parquet(".parquet", report::parquet_of(table)), tsv(".tsv", report::tsv_of(table));
    const auto outcome = encoder::tokenizer::run_python({script, "read", parquet.path(), tsv.path()});
    if (outcome.code == 77) GTEST_SKIP() << outcome.output << ": " << encoder::tokenizer::how_to_install();
    EXPECT_EQ(outcome.code, 0) << outcome.output;
}

}  // namespace
}  // namespace wordbreadth
