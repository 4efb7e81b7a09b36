// .npz files by numpy, and archives that announce sizes at the limits.
#include <gtest/gtest.h>

#include "arrays/announced_zip.h"
#include "support/array_testing.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {
namespace {

class NpzOfNumpy : public testing::TestWithParam<const char*> {};

TEST_P(NpzOfNumpy, HoldsItsArraysInByteOrder) {
    const auto file = open_array_file(fixture(GetParam()));
    EXPECT_EQ(file->names(), (std::vector<std::string>{"f2", "f4", "f8", "größe/café"}));
    for (const std::string& name : file->names()) expect_the_matrix(file->read(name), name);
}

INSTANTIATE_TEST_SUITE_P(Npz, NpzOfNumpy, testing::Values("stored.npz", "deflated.npz", "zip64.npz"));

TEST(Npz, CountsTheBytesOfAMemberThatCompressedTooWellToBeBelieved) {
    const auto file = open_array_file(fixture("sparse.npz"));
    for (const char* name : {"rows", "columns"}) {
        const Array array = file->read(name);
        ASSERT_EQ(array.rows, 8U);
        ASSERT_EQ(array.columns, 4096U);
        const std::vector<double> values = values_of(array);
        for (std::size_t k = 0; k < values.size(); ++k) {
            ASSERT_EQ(values[k], k / 4096 == k % 4096 ? 1 : 0) << name << " " << k;
        }
    }
}

TEST(Npz, AcceptsAnyExpansionOfASmallMember) {
    EXPECT_EQ(error_opening(announcing(1, limits::npz_member_bytes, 1, 8)), "no error");
    EXPECT_NE(error_opening(announcing(1, limits::npz_member_bytes + 1, 1, 8)).find("more than 250 times as many"),
              std::string::npos);
}

TEST(Npz, AcceptsTheExpansionLimitOfALargeMemberAndNoMore) {
    const std::uint64_t packed = limits::npz_member_bytes / limits::npz_expansion + 1;
    const auto with_size = [&](std::uint64_t size) { return announcing(1, size, packed, 8, packed); };
    EXPECT_EQ(error_opening(with_size(packed * limits::npz_expansion)), "no error");
    EXPECT_NE(error_opening(with_size(packed * limits::npz_expansion + 1)).find("more than 250 times as many"),
              std::string::npos);
}

}  // namespace
}  // namespace wordbreadth::arrays
