// Clouds from files: load_cloud and load_clouds.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/array_testing.h"
#include "support/temporary.h"
#include "wordbreadth/files.h"

namespace wordbreadth {
namespace {

using arrays::fixture;

std::vector<std::string> names_of(const std::vector<Cloud>& clouds) {
    std::vector<std::string> names;
    for (const Cloud& cloud : clouds) names.push_back(cloud.name());
    return names;
}

TEST(Load, ReadsTheCloudOfAnNpyFile) {
    const Cloud cloud = load_cloud(fixture("f8_c_v1.npy"));
    EXPECT_EQ(cloud.name(), "f8_c_v1");
    EXPECT_EQ(cloud.origin(), fixture("f8_c_v1.npy"));
    EXPECT_EQ(cloud.size(), 5U);
    EXPECT_EQ(cloud.dimension(), 3U);
}

TEST(Load, ReadsTheSameCloudWhateverTheFormat) {
    const Cloud expected = load_cloud(fixture("f8_c_v1.npy"));
    for (const char* where : {"stored.npz:f2", "deflated.npz:f8", "types.safetensors:F32", "bf16.safetensors:BF16"}) {
        const Cloud cloud = load_cloud(fixture(where));
        EXPECT_TRUE(std::ranges::equal(cloud.unit_rows(), expected.unit_rows())) << where;
    }
}

TEST(Load, TakesAFileWithAColonInItsNameAsAFile) {
    const TemporaryFile file(":odd.npy", content_of(fixture("f8_c_v1.npy")));
    EXPECT_EQ(load_cloud(file.path()).size(), 5U);
}

TEST(Load, SplitsAtTheLastColon) {
    const TemporaryFile file(":odd.npz", content_of(fixture("stored.npz")));
    EXPECT_EQ(load_cloud(file.path() + ":f4").name(), "f4");
}

TEST(Load, AsksForANameWhereAFileHasMany) {
    EXPECT_NE(error_of([] { (void)load_cloud(fixture("stored.npz")); }).find("names no cloud; write "),
              std::string::npos);
}

TEST(Load, SaysWhichPartIsMissing) {
    EXPECT_EQ(error_of([] { (void)load_cloud("none.npz:bank"); }), "none.npz: no such file");
    EXPECT_NE(
        error_of([] { (void)load_cloud(fixture("stored.npz:f3")); }).find("has no array \"f3\"; did you mean \"f2\""),
        std::string::npos);
}

TEST(Load, ReadsAllCloudsInTheOrderOfTheirNames) {
    EXPECT_EQ(names_of(load_clouds(fixture("deflated.npz"))),
              (std::vector<std::string>{"f2", "f4", "f8", "größe/café"}));
    EXPECT_EQ(names_of(load_clouds(fixture("f2_f_v3.npy"))), std::vector<std::string>{"f2_f_v3"});
}

TEST(Load, ReadsNamedCloudsInTheOrderGiven) {
    EXPECT_EQ(names_of(load_clouds(fixture("types.safetensors"), {"F64", "F16"})),
              (std::vector<std::string>{"F64", "F16"}));
}

TEST(Load, RefusesAllCloudsOfAFileThatHoldsOtherThings) {
    EXPECT_NE(error_of([] { (void)load_clouds(fixture("types.safetensors")); }).find("name only the clouds to read"),
              std::string::npos);
}

}  // namespace
}  // namespace wordbreadth
