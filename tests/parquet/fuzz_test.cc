// Files of other writers (tests/data/parquet) with some bytes changed, inserted or cut: each is read or raises
// InputError, and nothing else happens. Seeded, so that a failure comes back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "parquet/reader.h"
#include "support/errors.h"
#include "support/mutator.h"
#include "support/temporary.h"

namespace wordbreadth::parquet {
namespace {

using namespace std::string_view_literals;

constexpr int changes_of_a_file = 400;
constexpr auto telling = "\0\x01\x02\x15\x19\x1C\x7F\x80\xFF\xFE\x0F\xF0"sv;

std::vector<std::string> good_files() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(TESTS_DIR "/data/parquet"))
        if (entry.path().extension() == ".parquet") paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    return paths;
}

// Bit by bit: there are NaNs.
void expect_same_lists(const ColumnRows& rows, const ColumnRows& in_place) {
    ASSERT_EQ(rows.present, in_place.present);
    ASSERT_EQ(rows.list_starts, in_place.list_starts);
    const float* decoded = in_place.reals.data();
    for (std::size_t i = 0; i < in_place.in_place.size(); ++i) {
        const std::size_t begin = rows.list_starts[i], size = rows.list_starts[i + 1] - begin;
        const void* const found =
            in_place.in_place[i] != nullptr ? static_cast<const void*>(in_place.in_place[i]) : decoded;
        if (in_place.in_place[i] == nullptr) decoded += size;
        if (size == 0) continue;
        ASSERT_EQ(std::memcmp(found, &rows.reals[begin], size * sizeof(float)), 0) << "row " << i;
    }
}

// As many rows as there can be: what a spoilt file says beyond is not asked for.
void read_everything(const std::string& path) {
    constexpr std::uint64_t most = 10'000;
    const File file(path);
    for (const FileColumn& column : file.columns()) {
        if (column.kind == Kind::unknown || column.kind == Kind::nothing) continue;
        ColumnReader reader(file, column), in_place(file, column);
        ColumnRows rows, rows_in_place;
        for (std::uint64_t left = std::min(file.rows(), most); left > 0;) {
            const std::size_t some = std::min<std::uint64_t>(left, 7);
            reader.read(some, rows);
            in_place.read_in_place(some, rows_in_place);
            if (column.kind == Kind::reals) expect_same_lists(rows, rows_in_place);
            left -= some;
        }
    }
}

TEST(ParquetFuzz, GoodFilesAreRead) {
    ASSERT_GE(good_files().size(), 9U);
    for (const std::string& path : good_files())
        EXPECT_EQ(error_of([&] { read_everything(path); }), "no error") << path;
}

// Else the comparison of the two ways to read compares nothing.
TEST(ParquetFuzz, SomeListsAreReadInPlace) {
    std::size_t found = 0;
    for (const std::string& path : good_files()) {
        const File file(path);
        for (const FileColumn& column : file.columns()) {
            ColumnRows rows;
            if (column.kind == Kind::reals) ColumnReader(file, column).read_in_place(file.rows(), rows);
            found += rows.in_place.size() - static_cast<std::size_t>(std::ranges::count(rows.in_place, nullptr));
        }
    }
    EXPECT_GT(found, 0U);
}

TEST(ParquetFuzz, ChangedFilesAreReadOrRefused) {
    const int refused = refused_of_changed(good_files(), changes_of_a_file, telling, read_everything);
    EXPECT_GT(refused, 1000);  // else the changes do not reach what is checked
}

TEST(ParquetFuzz, CutFilesAreRefusedAtEveryLength) {
    const std::string content = content_of(good_files().front());
    const TemporaryFile file(".parquet", {});
    for (std::size_t length = 0; length < content.size(); ++length) {
        file.write(std::string_view(content).substr(0, length));
        EXPECT_NE(error_of([&] { read_everything(file.path()); }), "no error") << "cut to " << length;
    }
}

}  // namespace
}  // namespace wordbreadth::parquet
