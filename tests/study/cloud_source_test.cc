#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stop_token>

#include "support/array_testing.h"
#include "support/small_store.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

TEST(CloudSourceOfAStore, HasItsWords) {
    const TemporaryFolder folder;
    store::write_small_store(folder.path());
    const CloudSource source(folder.path());
    EXPECT_EQ(source.names(), (std::vector<std::string>{"bank", "money", "river"}));
    const NamedCloud bank = source.read("bank");
    EXPECT_EQ(bank.rows, 3U);
    EXPECT_EQ(bank.dimension, store::small_dimension);
    EXPECT_EQ(bank.cloud->name(), "bank");
    EXPECT_NE(error_of([&] { (void)source.read("moon"); }).find("has no word \"moon\""), std::string::npos);
}

TEST(CloudSourceOfAStore, AWordOfAStoreIsACloud) {
    const TemporaryFolder folder;
    store::write_small_store(folder.path());
    EXPECT_EQ(cloud_at(folder.path() + ":river", {}).size(), 2U);
    EXPECT_NE(error_of([&] { (void)cloud_at(folder.path(), {}); }).find("names no cloud"), std::string::npos);
}

TEST(CloudSourceOfAStore, AWordMayHaveAColon) {
    const TemporaryFolder folder;
    store::write_store(folder.path(), {{"10:30", 5, 3}}, 4);
    EXPECT_EQ(cloud_at(folder.path() + ":10:30", {}).name(), "10:30");
}

TEST(CloudSourceOfAStore, AFolderThatIsNoStoreIsTold) {
    const TemporaryFolder folder;
    EXPECT_NE(error_of([&] { (void)CloudSource(folder.path()); }).find("is not a store"), std::string::npos);
}

TEST(CloudSource, ReadsManyCloudsAsOneByOne) {
    const TemporaryFolder folder;
    store::write_small_store(folder.path());
    for (const std::string& path : {folder.path(), arrays::fixture("deflated.npz"),
                                    arrays::fixture("types.safetensors"), arrays::fixture("f2_f_v3.npy")}) {
        const CloudSource source(path);
        std::vector<std::string> names;
        for (int repeats = 0; repeats < 20; ++repeats)
            names.insert(names.end(), source.names().begin(), source.names().end());
        Execution execution;
        execution.threads = 4;
        const Cut cut{2, 5};
        const std::vector<NamedCloud> found = source.read(names, cut, execution);
        ASSERT_EQ(found.size(), names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            const NamedCloud expected = source.read(names[i], cut);
            EXPECT_EQ(found[i].name, names[i]);
            EXPECT_EQ(found[i].reason, expected.reason);
            ASSERT_EQ(found[i].cloud.has_value(), expected.cloud.has_value());
            if (!expected.cloud) continue;
            EXPECT_TRUE(std::ranges::equal(found[i].cloud->unit_rows(), expected.cloud->unit_rows()));
            EXPECT_TRUE(std::ranges::equal(found[i].cloud->blocks(), expected.cloud->blocks()));
        }
        EXPECT_NE(error_of([&] { (void)source.read(std::array<std::string, 1>{"absent"}, cut, execution); }),
                  "no error");
        std::stop_source stop;
        stop.request_stop();
        execution.stop = stop.get_token();
        EXPECT_THROW((void)source.read(names, cut, execution), Cancelled);
    }
}

TEST(CloudSource, MayBeClosedBeforeItsClouds) {
    const std::string path = arrays::fixture("types.safetensors");
    const NamedCloud cloud = CloudSource(path).read("F32");
    EXPECT_TRUE(std::ranges::equal(cloud.cloud->unit_rows(), CloudSource(path).read("F64").cloud->unit_rows()));
}

TEST(CloudsAt, AreThoseOfEachPlace) {
    const std::vector<std::string> places = {arrays::fixture("types.safetensors:F32"), arrays::fixture("f8_c_v1.npy"),
                                             arrays::fixture("types.safetensors:F16")};
    const std::vector<Cloud> clouds = clouds_at(places);
    ASSERT_EQ(clouds.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(clouds[i].label(), cloud_at(places[i]).label());
}

}  // namespace
}  // namespace wordbreadth
