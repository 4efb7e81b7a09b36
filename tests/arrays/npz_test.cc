// .npz files by numpy, and archives that announce sizes at the limits.
#include <gtest/gtest.h>

#include "support/array_testing.h"
#include "support/temporary.h"
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
        for (std::size_t k = 0; k < array.values.size(); ++k) {
            ASSERT_EQ(array.values[k], k / 4096 == k % 4096 ? 1 : 0) << name << " " << k;
        }
    }
}

// A zip of `entries` members without content, of which the directory tells these sizes, and `room` bytes for what they
// would have packed. Zip64 throughout.
std::string announcing(std::uint64_t entries, std::uint64_t size, std::uint64_t packed, int method,
                       std::size_t room = 0) {
    using Short = std::uint16_t;
    using Long = std::uint32_t;
    const std::string body = "PK\x03\x04" + std::string(room, '\0');
    std::string directory;
    for (std::uint64_t i = 0; i < entries; ++i) {
        const std::string name = std::to_string(i) + ".npy";
        directory += "PK\x01\x02" + little_endian(Short{45}) + little_endian(Short{45}) + little_endian(Short{0}) +
                     little_endian(static_cast<Short>(method)) + std::string(8, '\0') +
                     little_endian(Long{0xFFFFFFFF}) + little_endian(Long{0xFFFFFFFF}) +
                     little_endian(static_cast<Short>(name.size())) + little_endian(Short{20}) + std::string(14, '\0') +
                     name + little_endian(Short{1}) + little_endian(Short{16}) + little_endian(size) +
                     little_endian(packed);
    }
    std::string end = "PK\x06\x06" + little_endian(std::uint64_t{44}) + little_endian(Short{45}) +
                      little_endian(Short{45}) + std::string(8, '\0') + little_endian(entries) +
                      little_endian(entries) + little_endian(std::uint64_t{directory.size()}) +
                      little_endian(std::uint64_t{body.size()});
    end += "PK\x06\x07" + std::string(4, '\0') + little_endian(std::uint64_t{body.size() + directory.size()}) +
           little_endian(Long{1});
    end += "PK\x05\x06" + std::string(4, '\0') + std::string(12, '\xFF') + std::string(2, '\0');
    return body + directory + end;
}

std::string error_opening(const std::string& content) {
    const TemporaryFile file(".npz", content);
    return error_of([&] { (void)open_array_file(file.path()); });
}

TEST(Npz, AcceptsEntriesAtTheLimitAndNoMore) {
    EXPECT_EQ(error_opening(announcing(limits::archive_entries, 0, 0, 0)), "no error");
    EXPECT_NE(error_opening(announcing(limits::archive_entries + 1, 0, 0, 0)).find("at most 1000000 are accepted"),
              std::string::npos);
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
