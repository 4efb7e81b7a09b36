// How batches and chunks become smaller where the device's memory is short. Needs no GPU.
#include "engine/cuda/prepared.h"

#include "engine/cuda_testing.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr std::size_t memory = std::size_t{80} << 30;

class CudaPortion : public testing::Test {
  protected:
    [[nodiscard]] Job job(std::size_t pairs, std::uint64_t permutations) {
        tasks_.clear();
        for (std::size_t k = 0; k < pairs; ++k)
            tasks_.push_back({&rows_[k % 7], &rows_[k % 7 + 1], permutation::Exceedance(0.1, Alternative::greater)});
        return {tasks_, Alignment::householder, Statistic::plain, permutation::Splits::plan(20, 20, permutations, 1),
                0};
    }

  private:
    std::vector<Cloud> clouds_ = random_clouds(8, 20, 16);
    std::vector<geometry::UnitRows> rows_{clouds_.begin(), clouds_.end()};
    std::vector<PairTask> tasks_;
};

TEST_F(CudaPortion, IsTheWholeJobWhereThatIsSmall) {
    const Job whole = job(100, 5000);
    const Portion portion(whole, true, memory, 0);
    EXPECT_EQ(portion.batch(0).size(), 100U);
    EXPECT_EQ(portion.batch(70).size(), 30U);
    EXPECT_EQ(portion.splits(100), 20 * block_of_splits);
}

// Every chunk costs each pair something, for however few splits.
TEST_F(CudaPortion, TakesFewerPairsRatherThanFewSplits) {
    const Job all_at_once = job(40'000, 10'000);
    EXPECT_GE(Portion(all_at_once, true, memory, 0).batch(0).size(), 1000U);
    const std::size_t pairs = Portion(all_at_once, true, memory, 0).batch(0).size();
    EXPECT_GE(Portion(all_at_once, true, memory, 0).splits(pairs), 10'000U);
    const Job many_splits = job(40'000, 1'000'000);
    const Portion portion(many_splits, true, memory, 0);
    EXPECT_GE(portion.splits(portion.batch(0).size()), std::size_t{1} << 15);
}

TEST_F(CudaPortion, TakesNoMoreSplitsThanAskedFor) {
    const Job whole = job(1, 5000);
    EXPECT_EQ(Portion(whole, true, memory, 2 * block_of_splits).splits(1), 2 * block_of_splits);
}

TEST_F(CudaPortion, HalvesThePairsWhereTheyTakeMostOfTheMemory) {
    const Job whole = job(100, 100);
    Portion portion(whole, true, memory, 0);
    const std::size_t splits = portion.splits(100);
    ASSERT_GT(portion.bytes_of_pairs(portion.batch(0)), portion.bytes_of_chunks(100));
    ASSERT_TRUE(portion.shrink(portion.batch(0)));
    EXPECT_EQ(portion.batch(0).size(), 50U);
    EXPECT_EQ(portion.splits(100), splits);
}

TEST_F(CudaPortion, HalvesTheSplitsWhereTheyTakeMostOfTheMemory) {
    const Job whole = job(10, 1'000'000);
    Portion portion(whole, true, memory, 0);
    const std::size_t splits = portion.splits(10);
    ASSERT_LT(portion.bytes_of_pairs(portion.batch(0)), portion.bytes_of_chunks(10));
    ASSERT_TRUE(portion.shrink(portion.batch(0)));
    EXPECT_EQ(portion.batch(0).size(), 10U);
    EXPECT_LE(portion.splits(10), splits / 2 + block_of_splits);
}

TEST_F(CudaPortion, EndsAtOnePairAndOneBlock) {
    const Job whole = job(100, 1'000'000);
    Portion portion(whole, true, memory, 0);
    const auto bytes = [&] {
        const auto batch = portion.batch(0);
        return portion.bytes_of_pairs(batch) + portion.bytes_of_chunks(batch.size());
    };
    std::size_t before = bytes();
    while (portion.shrink(portion.batch(0))) {
        ASSERT_LT(bytes(), before);
        before = bytes();
    }
    EXPECT_EQ(portion.batch(0).size(), 1U);
    EXPECT_EQ(portion.splits(1), block_of_splits);
}

}  // namespace
}  // namespace wordbreadth::engine::cuda
