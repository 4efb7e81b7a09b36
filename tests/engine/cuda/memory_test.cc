// Where the device's memory is short, the engines take fewer pairs and splits at a time and give the same counts; where
// nothing fits they say so; and once there is memory again they work as before.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <optional>

#include "engine/backend.h"
#include "engine/cuda_testing.h"
#include "support/ballast.h"
#include "support/errors.h"
#include "support/gpu.h"

namespace wordbreadth::engine {
namespace {

using wordbreadth::cuda::Ballast;
using wordbreadth::cuda::mib;

// As Residents keeps them: float64, and float32 beside it.
std::size_t bytes_on_device(const std::vector<Cloud>& clouds) {
    std::size_t bytes = 0;
    for (const Cloud& cloud : clouds) bytes += cloud.unit_rows().size() * (sizeof(double) + sizeof(float));
    return bytes;
}

void append(std::vector<Cloud>& clouds, std::vector<Cloud> more) {
    for (Cloud& cloud : more) clouds.push_back(std::move(cloud));
}

// What does not fit, what it needs, what there is, what to do; or that an engine cannot even be made.
void expect_a_clear_error(const std::string& message) {
    const auto has = [&](const std::string& part) { return contains(message, part); };
    EXPECT_TRUE(has("the GPU's memory is too full to begin: ") || (has(" rows in ") && has(" MiB are needed, ")))
        << message;
    EXPECT_TRUE(has(" are free (") && has("use device cpu") && !has("\n")) << message;
}

// Empty where it does not fit, which must have been said.
std::optional<std::vector<TestResult>> results_with(std::size_t rest, const std::string& device,
                                                    const std::vector<Cloud>& clouds, const std::vector<Pair>& pairs,
                                                    const TestOptions& options) {
    const Ballast ballast(rest);
    try {
        return results_on(device, clouds, pairs, options);
    } catch (const InputError& error) {
        expect_a_clear_error(error.what());
        return {};
    }
}

class CudaMemory : public testing::TestWithParam<std::tuple<std::size_t, Statistic, std::uint64_t>> {
  protected:
    void SetUp() override { WORDBREADTH_NEEDS_GPU(); }
};

TEST_P(CudaMemory, GivesTheCountsOfTheCpuOrSaysWhatDoesNotFit) {
    const auto [rest, statistic, adaptive] = GetParam();
    std::vector<Cloud> clouds = random_clouds(5, 60, 96);
    append(clouds, random_clouds(3, 130, 96));
    append(clouds, random_clouds(2, 400, 96));
    const std::vector<Pair> pairs = all_pairs(clouds.size());
    TestOptions options;
    options.permutations = 5000;
    options.statistic = statistic;
    options.adaptive = adaptive;
    const std::vector<TestResult> expected = results_on("cpu", clouds, pairs, options);
    const auto found = results_with(rest, "cuda", clouds, pairs, options);
    if (found) expect_equal(*found, expected);
    EXPECT_TRUE(found || rest < 48 * mib) << "there was room";
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    expect_equal(results_on("cuda", clouds, pairs, options), expected);  // as before
}

INSTANTIATE_TEST_SUITE_P(Rests, CudaMemory,
                         testing::Combine(testing::Values(2048 * mib, 256 * mib, 48 * mib, 16 * mib, 4 * mib, 0),
                                          testing::Values(Statistic::plain, Statistic::robust),
                                          testing::Values(0U, 200U)));

TEST(CudaMemory, CloudsThatDoNotFitTogetherTakeTurns) {
    WORDBREADTH_NEEDS_GPU();
    constexpr std::size_t rest = 80 * mib;
    std::vector<Cloud> clouds = random_clouds(130, 64, 1024);
    append(clouds, random_clouds(2, 1200, 1024));
    ASSERT_GT(bytes_on_device(clouds), rest + rest / 2);
    std::vector<Pair> pairs;
    for (std::size_t k = 1; k < 130; ++k) pairs.push_back({k - 1, k});
    pairs.push_back({130, 131});
    TestOptions options;
    options.permutations = 2000;
    const auto found = results_with(rest, "cuda", clouds, pairs, options);
    ASSERT_TRUE(found);
    expect_equal(*found, results_on("cpu", clouds, pairs, options));
}

TEST(CudaMemory, SplitsThatDoNotFitTogetherTakeTurns) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(2, 20, 16);
    TestOptions options;
    options.permutations = 4'000'000;
    constexpr std::size_t rest = 40 * mib;
    ASSERT_GT(options.permutations * 3 * sizeof(int), rest);  // three lists of splits
    const auto found = results_with(rest, "cuda", clouds, {{0, 1}}, options);
    ASSERT_TRUE(found);
    expect_equal(*found, results_on("cpu", clouds, {{0, 1}}, options));
}

TEST(CudaMemory, APairThatDoesNotFitIsNamed) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(2, 1500, 512);
    const Ballast ballast(8 * mib);
    const std::string error = error_of([&] { static_cast<void>(results_on("cuda", clouds, {{0, 1}}, {})); });
    expect_a_clear_error(error);
    EXPECT_TRUE(contains(error, "one pair of 1500 and 1500 rows in 512 dimensions")) << error;
}

// ---- one engine through good and bad times

struct Work {
    std::vector<Cloud> clouds;
    std::vector<geometry::UnitRows> rows;
    std::vector<PairTask> tasks;
    Job job;

    Work(std::size_t count, std::size_t n, std::size_t d)
        : clouds(random_clouds(count, n, d)), rows(clouds.begin(), clouds.end()), job{} {
        for (std::size_t k = 1; k < count; ++k)
            tasks.push_back({&rows[k - 1], &rows[k], permutation::Exceedance(0.01, Alternative::greater)});
        job = {tasks, Alignment::householder, Statistic::plain, permutation::Splits::plan(n, n, 2000, 1), 0};
    }

    [[nodiscard]] std::vector<std::uint64_t> counts(Backend& backend) const {
        base::Monitor monitor(1, {}, {});
        std::vector<std::uint64_t> list;
        for (const permutation::Tally& tally : backend.count(job, monitor)) list.push_back(tally.exceedances);
        return list;
    }
};

// Empty where it does not fit, which must have been said.
std::optional<std::vector<std::uint64_t>> counts_if_they_fit(const Work& work, Backend& backend) {
    try {
        return work.counts(backend);
    } catch (const InputError& error) {
        expect_a_clear_error(error.what());
        return {};
    }
}

std::unique_ptr<Backend> engine(const std::string& device) {
    Execution execution;
    execution.device = device;
    return make_backend(execution);
}

TEST(CudaMemory, AnEngineWorksOnWhenThereIsMemoryAgain) {
    WORDBREADTH_NEEDS_GPU();
    const Work large(2, 1500, 512);
    const Work small(9, 30, 64);
    const std::unique_ptr<Backend> cuda = engine("cuda");
    const std::unique_ptr<Backend> cpu = engine("cpu");
    EXPECT_EQ(small.counts(*cuda), small.counts(*cpu));
    {
        const Ballast ballast(8 * mib);
        EXPECT_FALSE(counts_if_they_fit(large, *cuda));
        EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
        EXPECT_EQ(small.counts(*cuda), small.counts(*cpu));
    }
    EXPECT_EQ(large.counts(*cuda), large.counts(*cpu));
    EXPECT_EQ(small.counts(*cuda), small.counts(*cpu));
}

// Where nothing at all is left, even the loading of a kernel may fail.
TEST(CudaMemory, AnEngineThatHasNoMemoryAtAllSaysSoAndWorksAgain) {
    WORDBREADTH_NEEDS_GPU();
    const Work work(9, 60, 64);
    const std::unique_ptr<Backend> cuda = engine("cuda");
    const std::vector<std::uint64_t> expected = work.counts(*engine("cpu"));
    {
        const Ballast ballast(0);
        EXPECT_EQ(counts_if_they_fit(work, *cuda).value_or(expected), expected);
    }
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    EXPECT_EQ(work.counts(*cuda), expected);
}

// Each of the two fits alone, so what the other left has to go.
TEST(CudaMemory, CloudsOfEarlierWorkGiveWay) {
    WORDBREADTH_NEEDS_GPU();
    const Work one(40, 64, 1024);
    const Work other(2, 1000, 1024);
    const std::unique_ptr<Backend> cuda = engine("cuda");
    const std::unique_ptr<Backend> cpu = engine("cpu");
    const Ballast ballast(56 * mib);
    ASSERT_GT(bytes_on_device(one.clouds) + bytes_on_device(other.clouds), 50 * mib);
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(one.counts(*cuda), one.counts(*cpu)) << round;
        EXPECT_EQ(other.counts(*cuda), other.counts(*cpu)) << round;
    }
}

// ---- the paper's algorithm, whose counts may differ where the chunks do

class CudaPaperMemory : public testing::TestWithParam<std::uint64_t> {
  protected:
    void SetUp() override {
        if (const std::string because = why_not("cuda-paper"); !because.empty()) GTEST_SKIP() << "no GPU: " << because;
    }

    [[nodiscard]] static TestOptions options() {
        TestOptions options;
        options.permutations = 200'000;
        options.adaptive = GetParam();
        return options;
    }
};

TEST_P(CudaPaperMemory, ChunksThatDoNotFitBecomeSmaller) {
    const std::vector<Cloud> clouds = random_clouds(6, 100, 800);
    const std::vector<Pair> pairs = all_pairs(clouds.size());
    constexpr std::size_t rest = 256 * mib;
    ASSERT_GT(options().permutations * 800 * sizeof(float), rest);  // the sums of the splits
    const auto found = results_with(rest, "cuda-paper", clouds, pairs, options());
    ASSERT_TRUE(found);
    const std::vector<TestResult> expected = results_on("cuda-paper", clouds, pairs, options());
    for (std::size_t k = 0; k < pairs.size(); ++k) EXPECT_NEAR((*found)[k].p, expected[k].p, 0.02 * expected[k].p) << k;
}

TEST_P(CudaPaperMemory, SaysWhatDoesNotFitAndWorksAgain) {
    const std::vector<Cloud> clouds = random_clouds(2, 1000, 512);
    EXPECT_FALSE(results_with(2 * mib, "cuda-paper", clouds, {{0, 1}}, options()));
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    EXPECT_NO_THROW(static_cast<void>(results_on("cuda-paper", clouds, {{0, 1}}, options())));
}

TEST_P(CudaPaperMemory, AnEngineWorksOnWhenThereIsMemoryAgain) {
    Work work(2, 1000, 512);
    work.job.adaptive = GetParam();
    const std::unique_ptr<Backend> paper = engine("cuda-paper");
    {
        const Ballast ballast(2 * mib);
        EXPECT_FALSE(counts_if_they_fit(work, *paper));
        EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    }
    EXPECT_EQ(work.counts(*paper), work.counts(*engine("cuda-paper")));
}

INSTANTIATE_TEST_SUITE_P(Stopping, CudaPaperMemory, testing::Values(0U, 1000U));

}  // namespace
}  // namespace wordbreadth::engine
