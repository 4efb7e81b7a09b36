// What the writer writes, the reader reads. That other programs do, too, is tested in importing/parquet_live_test.cc.
#include "parquet/writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "parquet/reader.h"
#include "report/table/table.h"
#include "support/errors.h"
#include "support/temporary.h"

namespace wordbreadth::parquet {
namespace {

using report::Value;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

report::Table table_of(std::size_t rows) {
    report::Table table;
    table.columns = {{"text"}, {"count"}, {"real"}, {"exact"}, {"nothing"}, {"rate", "rate", report::look::rate}};
    table.size = rows;
    table.row = [](std::size_t i) {
        const bool is_missing = i % 3 == 0;
        return report::Cells{is_missing ? Value() : Value("word " + std::to_string(i % 1000)),
                             is_missing ? Value() : Value(i * i),
                             is_missing ? Value(nan) : Value(1.0 / static_cast<double>(i)),
                             is_missing ? Value() : Value(i % 2 == 0),
                             Value(),
                             Value(Rate{2, 4, 0.5, 0.25, 0.75})};
    };
    return table;
}

ColumnRows column(const File& file, std::size_t place, std::size_t rows) {
    ColumnRows read;
    ColumnReader(file, file.columns().at(place)).read(rows, read);
    return read;
}

TEST(ParquetWriter, ValuesComeBackFromAllRowGroups) {
    constexpr std::size_t rows = 65'536 + 11;
    const TemporaryFile written(".parquet", report::parquet_of(table_of(rows)));
    const File file(written.path());
    ASSERT_EQ(file.rows(), rows);
    ASSERT_EQ(file.columns().size(), 8U);
    EXPECT_EQ(file.columns()[6].name, "rate_low");
    const ColumnRows texts = column(file, 0, rows), counts = column(file, 1, rows), reals = column(file, 2, rows);
    for (std::size_t i = 0; i < rows; ++i) {
        ASSERT_EQ(texts.present[i], i % 3 != 0) << i;
        ASSERT_EQ(reals.present[i], i % 3 != 0) << i;
        if (i % 3 == 0) continue;
        ASSERT_EQ(texts.texts[i], "word " + std::to_string(i % 1000));
        ASSERT_EQ(counts.wholes[i], static_cast<std::int64_t>(i * i));
        ASSERT_EQ(reals.reals[i], static_cast<float>(1.0 / static_cast<double>(i)));
    }
    EXPECT_EQ(column(file, 5, rows).reals, std::vector<float>(rows, 0.5F));
}

TEST(ParquetWriter, ThreadsChangeNothing) {
    std::string bytes;
    report::write_parquet(table_of(150'000), 4, [&](std::string_view more) { bytes += more; });
    EXPECT_EQ(bytes, report::parquet_of(table_of(150'000)));
}

TEST(ParquetWriter, ATableWithoutRowsIsAFile) {
    const TemporaryFile written(".parquet", report::parquet_of(table_of(0)));
    EXPECT_EQ(File(written.path()).rows(), 0U);
}

TEST(ParquetWriter, CountsBeyondInt64AreUnsigned) {
    report::Table table = table_of(2);
    table.columns = {{"seed"}};
    table.row = [](std::size_t i) { return report::Cells{std::numeric_limits<std::uint64_t>::max() - i}; };
    const TemporaryFile written(".parquet", report::parquet_of(table));
    const File file(written.path());
    EXPECT_EQ(file.columns().front().element.logical, Logical::unsigned_integer);
    EXPECT_EQ(static_cast<std::uint64_t>(column(file, 0, 2).wholes[1]), std::numeric_limits<std::uint64_t>::max() - 1);
}

}  // namespace
}  // namespace wordbreadth::parquet
