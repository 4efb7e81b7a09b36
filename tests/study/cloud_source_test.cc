#include <gtest/gtest.h>

#include "support/array_testing.h"
#include "support/small_store.h"
#include "wordbreadth/cloud_source.h"

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
    EXPECT_NE(error_of([&] { (void)CloudSource(folder.path()); }).find("is no store"), std::string::npos);
}

}  // namespace
}  // namespace wordbreadth
