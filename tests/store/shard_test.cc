#include <gtest/gtest.h>

#include "store/layout.h"
#include "store/shards.h"
#include "support/array_testing.h"
#include "support/small_store.h"

namespace wordbreadth::store {
namespace {

TEST(Shard, IsReadAsItWasWritten) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    const Plan plan(folder.path());
    EXPECT_EQ(state_of(plan, 0), ShardState::missing);
    write_small_shard(folder.path(), 0);
    EXPECT_EQ(state_of(plan, 0), ShardState::finished);
    const ShardFile shard(plan, 0);
    EXPECT_EQ(shard.width(), small_dimension);
    EXPECT_EQ(std::vector<float>(shard.rows().begin(), shard.rows().end()), small_rows(0));
}

TEST(Shard, IsTheSameBytesForTheSameRows) {
    const TemporaryFolder one, two;
    for (const auto* folder : {&one, &two}) {
        write_small_plan(folder->path());
        write_small_shard(folder->path(), 0);
    }
    EXPECT_EQ(content_of(shard_path(one.path(), 0)), content_of(shard_path(two.path(), 0)));
}

TEST(Shard, WithAnyFlippedByteIsUnusable) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    write_small_shard(folder.path(), 0);
    const Plan plan(folder.path());
    const std::string path = shard_path(folder.path(), 0);
    const std::string whole = content_of(path);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] ^= 0x11;
        write_file(path, damaged);
        EXPECT_EQ(state_of(plan, 0), ShardState::unusable) << i << ": " << whole[i];
    }
}

TEST(Shard, ThatWasCutOffOrGrewIsUnusable) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    write_small_shard(folder.path(), 0);
    const Plan plan(folder.path());
    const std::string path = shard_path(folder.path(), 0);
    const std::string whole = content_of(path);
    for (const std::string& content :
         {whole.substr(0, whole.size() - 1), whole.substr(0, 100), std::string(), whole + "x", whole.substr(0, 8)}) {
        write_file(path, content);
        EXPECT_EQ(state_of(plan, 0), ShardState::unusable) << content.size();
    }
}

TEST(Shard, OfAnotherPlanIsUnusable) {
    const TemporaryFolder mine, other;
    write_small_plan(mine.path());
    write_small_plan(other.path(), "1");
    write_small_shard(mine.path(), 0);
    write_small_shard(other.path(), 0);
    std::filesystem::copy_file(shard_path(other.path(), 0), shard_path(mine.path(), 0),
                               std::filesystem::copy_options::overwrite_existing);
    const Plan plan(mine.path());
    EXPECT_EQ(state_of(plan, 0), ShardState::unusable);
    EXPECT_NE(error_of([&] { ShardFile(plan, 0); }).find("made for another plan"), std::string::npos);
}

TEST(Shard, InThePlaceOfAnotherIsUnusable) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    write_small_shard(folder.path(), 0);
    std::filesystem::copy_file(shard_path(folder.path(), 0), shard_path(folder.path(), 1));
    EXPECT_EQ(state_of(Plan(folder.path()), 1), ShardState::unusable);
}

TEST(Shard, OfTooFewRowsIsUnusable) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    const Plan plan(folder.path());
    const std::vector<float> rows = small_rows(0);
    write_shard(plan, 0, small_dimension, std::span(rows).first(2 * small_dimension));
    EXPECT_NE(error_of([&] { ShardFile(plan, 0); }).find("has 2 rows; the plan asks for 3"), std::string::npos);
}

}  // namespace
}  // namespace wordbreadth::store
