#include "wordbreadth/store.h"

#include <gtest/gtest.h>

#include "store/layout.h"
#include "support/array_testing.h"
#include "support/small_store.h"

namespace wordbreadth {
namespace {

TEST(DescribeStore, TellsWhatAFinishedOneHolds) {
    const TemporaryFolder folder;
    store::write_small_store(folder.path());
    const StoreDescription found = describe_store(folder.path(), 2);
    EXPECT_TRUE(found.finished);
    EXPECT_EQ(found.words, 3U);
    EXPECT_EQ(found.rows, 6U);
    EXPECT_EQ(found.dimension, store::small_dimension);
    EXPECT_EQ(found.bytes, std::filesystem::file_size(store::plan_path(folder.path())) +
                               std::filesystem::file_size(store::clouds_path(folder.path())) +
                               std::filesystem::file_size(store::index_path(folder.path())));
    ASSERT_EQ(found.sources.size(), 1U);
    EXPECT_EQ(found.sources[0].path, "corpus.txt");
    EXPECT_EQ(found.sources[0].bytes, 70U);
    EXPECT_EQ(found.skipped.size(), 2U);
    ASSERT_EQ(found.most_frequent.size(), 2U);
    EXPECT_EQ(found.most_frequent[0].word, "river");
}

TEST(DescribeStore, TellsHowFarAnUnfinishedOneIs) {
    const TemporaryFolder folder;
    store::write_small_plan(folder.path());
    store::write_small_shard(folder.path(), 0);
    store::write_small_shard(folder.path(), 1);
    write_file(store::shard_path(folder.path(), 1), "damaged");
    const StoreDescription found = describe_store(folder.path());
    EXPECT_FALSE(found.finished);
    EXPECT_EQ(found.shards, 2U);
    EXPECT_EQ(found.finished_shards, 1U);
    EXPECT_EQ(found.unusable_shards, 1U);
}

TEST(DescribeStore, RefusesADamagedOne) {
    const TemporaryFolder folder;
    store::write_small_store(folder.path());
    write_file(store::clouds_path(folder.path()), "damaged");
    EXPECT_NE(error_of([&] { (void)describe_store(folder.path()); }), "no error");
}

}  // namespace
}  // namespace wordbreadth
