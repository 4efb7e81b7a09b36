#include <gtest/gtest.h>

#include "store/store_arrays.h"
#include "support/array_testing.h"
#include "support/small_store.h"
#include "wordbreadth/cloud_source.h"

namespace wordbreadth::store {
namespace {

TEST(StoreArrays, AStoreIsAFileOfNamedArrays) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    const auto file = open_arrays(folder.path());
    EXPECT_EQ(file->names(), (std::vector<std::string>{"bank", "money", "river"}));
    const arrays::Array bank = file->read("bank");
    EXPECT_EQ(bank.rows, 3U);
    EXPECT_EQ(bank.columns, small_dimension);
    EXPECT_EQ(bank.values[0], static_cast<double>(small_rows(0)[0]));
    EXPECT_NE(error_of([&] { (void)file->read("moon"); }).find("has no word \"moon\""), std::string::npos);
}

TEST(StoreArrays, AWordOfAStoreIsACloud) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    EXPECT_EQ(cloud_at(folder.path() + ":river", {}).size(), 2U);
    EXPECT_NE(error_of([&] { (void)cloud_at(folder.path(), {}); }).find("names no cloud"), std::string::npos);
}

TEST(StoreArrays, AWordMayHaveAColon) {
    const TemporaryFolder folder;
    write_store(folder.path(), {{"10:30", 5, 3}}, 4);
    EXPECT_EQ(cloud_at(folder.path() + ":10:30", {}).name(), "10:30");
}

TEST(StoreArrays, AFolderThatIsNoStoreIsTold) {
    const TemporaryFolder folder;
    EXPECT_NE(error_of([&] { (void)open_arrays(folder.path()); }).find("is no store"), std::string::npos);
}

}  // namespace
}  // namespace wordbreadth::store
