// .npy files by numpy, in every type, order and version, and at the limits.
#include <gtest/gtest.h>

#include "arrays/npy.h"
#include "support/array_testing.h"
#include "support/temporary.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {
namespace {

using Parameters = std::tuple<const char*, const char*, int>;  // type, order, version

class NpyOfNumpy : public testing::TestWithParam<Parameters> {};

TEST_P(NpyOfNumpy, HoldsTheMatrix) {
    const auto [type, order, version] = GetParam();
    const std::string name = std::string(type) + "_" + order + "_v" + std::to_string(version);
    const auto file = open_array_file(fixture(name + ".npy"));
    EXPECT_EQ(file->names(), std::vector{name});
    expect_the_matrix(file->read(name), name);
}

INSTANTIATE_TEST_SUITE_P(Npy, NpyOfNumpy,
                         testing::Combine(testing::Values("f2", "f4", "f8"), testing::Values("c", "f"),
                                          testing::Values(1, 2, 3)));

std::string error_reading(const std::string& content) {
    const TemporaryFile file(".npy", content);
    return error_of([&] { read_everything(file.path()); });
}

TEST(Npy, IsReadAgainAfterAFirstTime) {
    const auto file = open_array_file(fixture("f4_f_v1.npy"));
    expect_the_matrix(file->read("f4_f_v1"), "f4_f_v1");
    expect_the_matrix(file->read("f4_f_v1"), "f4_f_v1");
}

TEST(Npy, ReadsColumnsOfEveryBlockWidth) {
    // Fortran order is read some columns at a time: below, at and above the width of such a block.
    for (const int columns : {1, 7, 8, 9, 16, 17}) {
        const int rows = 3;
        std::string values;
        for (int k = 0; k < rows * columns; ++k) values += little_endian(static_cast<std::uint16_t>(0x3C00 + k));
        std::string content = npy("<f2", "(3, " + std::to_string(columns) + ")", values);
        content.replace(content.find("False"), 5, "True ");
        const TemporaryFile temporary(".npy", content);
        const auto file = open_array_file(temporary.path());
        const std::vector<double> found = values_of(file->read(file->names().front()));
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < columns; ++j) {
                EXPECT_EQ(found[static_cast<std::size_t>(i * columns + j)], 1 + (j * rows + i) / 1024.0);
            }
        }
    }
}

TEST(Npy, AcceptsTheShapesThatPythonTwoWrote) {
    const TemporaryFile file(".npy", npy("<f4", "(1L, 2L)", std::string(8, '\0')));
    EXPECT_EQ(error_of([&] { read_everything(file.path()); }), "no error");
}

TEST(Npy, AcceptsAHeaderAtTheLimitAndNoLonger) {
    const std::string values(8, '\0');
    EXPECT_EQ(error_reading(npy("<f4", "(1, 2)", values, limits::npy_header_bytes)), "no error");
    EXPECT_NE(
        error_reading(npy("<f4", "(1, 2)", values, limits::npy_header_bytes + 1)).find("at most 65536 are accepted"),
        std::string::npos);
}

TEST(Npy, AcceptsRowsAtTheLimitAndNoMore) {
    const auto with_rows = [](std::size_t rows) {
        return npy("<f2", "(" + std::to_string(rows) + ", 1)", std::string(rows * 2, '\0'));
    };
    EXPECT_EQ(error_reading(with_rows(limits::rows_of_a_pair)), "no error");
    EXPECT_NE(error_reading(with_rows(limits::rows_of_a_pair + 1)).find("at most 1000000 are accepted"),
              std::string::npos);
}

TEST(Npy, AcceptsADimensionAtTheLimitAndNoMore) {
    const auto with_columns = [](std::size_t columns) {
        return npy("<f2", "(1, " + std::to_string(columns) + ")", std::string(columns * 2, '\0'));
    };
    EXPECT_EQ(error_reading(with_columns(limits::dimension)), "no error");
    EXPECT_NE(error_reading(with_columns(limits::dimension + 1)).find("at most 65536 is accepted"), std::string::npos);
}

TEST(Npy, TellsARankAtTheLimitFromOnePastIt) {
    EXPECT_NE(error_reading(npy("<f4", "(1, 1, 1, 1, 1, 1, 1, 1)", "1234")).find("a cloud has 2 dimensions"),
              std::string::npos);
    EXPECT_NE(error_reading(npy("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 1)", "1234")).find("at most 8 are accepted"),
              std::string::npos);
}

TEST(NpyWriter, HeaderIsPaddedToSixtyFourBytes) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{100'000'000}}) {
        const std::string header = npy_header("<f8", {length});
        EXPECT_EQ(header.size() % 64, 0U);
        EXPECT_EQ(header.back(), '\n');
        EXPECT_EQ(header.size(),
                  10 + static_cast<unsigned char>(header[8]) + 256U * static_cast<unsigned char>(header[9]));
        EXPECT_NE(header.find("'shape': (" + std::to_string(length) + ",)"), std::string::npos);
    }
}

}  // namespace
}  // namespace wordbreadth::arrays
