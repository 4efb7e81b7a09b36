#include "store/shards.h"

#include <gtest/gtest.h>

#include "store/layout.h"
#include "support/array_testing.h"
#include "support/small_store.h"
#include "wordbreadth/store.h"

namespace wordbreadth::store {
namespace {

std::vector<float> row_of_shard(std::size_t shard, std::size_t row) {
    const std::vector<float> rows = small_rows(shard);
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(row * small_dimension);
    return {first, first + small_dimension};
}

TEST(Join, PutsEachRowIntoItsWordsCloud) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    const Store store(folder.path());
    std::vector<float> bank;
    for (const auto& [shard, row] : {std::pair{0, 0}, std::pair{0, 2}, std::pair{1, 1}})
        for (const float value : row_of_shard(static_cast<std::size_t>(shard), static_cast<std::size_t>(row)))
            bank.push_back(value);
    const auto found = store.rows(store.find("bank"));
    EXPECT_EQ(std::vector<float>(found.begin(), found.end()), bank);
    const auto money = store.rows(store.find("money"));
    EXPECT_EQ(std::vector<float>(money.begin(), money.end()), row_of_shard(1, 0));
}

TEST(Join, RemovesTheShards) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    EXPECT_FALSE(std::filesystem::exists(shards_folder(folder.path())));
}

TEST(Join, GivesTheSameBytesWheneverTheShardsWereMade) {
    const TemporaryFolder one, two;
    write_small_store(one.path());
    write_small_plan(two.path());
    write_small_shard(two.path(), 1);  // the other way round
    write_small_shard(two.path(), 0);
    Plan plan(two.path());
    join_shards(plan);
    EXPECT_EQ(content_of(clouds_path(one.path())), content_of(clouds_path(two.path())));
}

TEST(Join, RefusesAMissingOrDamagedShardAndLosesNothing) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    write_small_shard(folder.path(), 0);
    Plan plan(folder.path());
    EXPECT_NE(error_of([&] { join_shards(plan); }), "no error");
    write_small_shard(folder.path(), 1);
    std::filesystem::resize_file(shard_path(folder.path(), 1),
                                 std::filesystem::file_size(shard_path(folder.path(), 1)) - 4);
    EXPECT_NE(error_of([&] { join_shards(plan); }), "no error");
    EXPECT_FALSE(std::filesystem::exists(clouds_path(folder.path())));
    EXPECT_EQ(state_of(plan, 0), ShardState::finished);
}

TEST(Clouds, RefuseARowThatTheirWordHasNotAndToBeIncomplete) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    const Plan plan(folder.path());
    base::Workers workers(1);
    CloudsWriter clouds(plan, small_dimension);
    const std::vector<float> row(small_dimension);
    EXPECT_TRUE(contains(error_of([&] { clouds.place(1, 1, row); }), "there is a row 1 of \"money\", which has 1"));
    EXPECT_TRUE(contains(error_of([&] { clouds.place(0, 1, std::vector<float>(3 * small_dimension)); }), "a row 3"));
    clouds.place(1, 0, row);
    EXPECT_TRUE(contains(error_of([&] { clouds.keep(workers, nullptr); }), "5 rows are missing"));
    EXPECT_FALSE(std::filesystem::exists(clouds_path(folder.path())));
}

}  // namespace
}  // namespace wordbreadth::store
