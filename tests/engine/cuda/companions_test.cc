// Several GPUs on one list of tests. Here it is one GPU, named several times: what each keeps is its own all the same.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>

#include "cuda/runtime.h"
#include "engine/cuda/cuda.h"
#include "engine/cuda_testing.h"
#include "engine/pair_tests.h"
#include "support/gpu.h"
#include "wordbreadth/error.h"

namespace wordbreadth::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array thrice{0, 0, 0};

// With its companions ready, if it has any.
std::unique_ptr<Backend> started(std::span<const int> gpus) {
    std::unique_ptr<Backend> backend = cuda::make_on(gpus, {});
    const auto late = Clock::now() + std::chrono::seconds(30);
    for (std::size_t k = 0; k < backend->companions(); ++k) {
        while (backend->companion(k) == nullptr && Clock::now() < late)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_NE(backend->companion(k), nullptr);
    }
    return backend;
}

std::vector<TestResult> results_of(Backend& backend, const std::vector<Cloud>& clouds, const TestOptions& options) {
    const std::vector<Pair> list = all_pairs(clouds.size());
    const CloudPairs pairs(clouds, list);
    return run_tests(backend, pairs.pairs(), options, false);
}

void expect_same_on_three(const std::vector<Cloud>& clouds, const TestOptions& options) {
    const std::unique_ptr<Backend> one = started(std::span(thrice).first(1)), three = started(thrice);
    EXPECT_EQ(one->companions(), 0U);
    EXPECT_EQ(three->companions(), 2U);
    EXPECT_EQ(one->label(), three->label());
    const std::vector<TestResult> alone = results_of(*one, clouds, options);
    for (int again = 0; again < 3; ++again) expect_equal(results_of(*three, clouds, options), alone);
}

// Another GPU is another thread's: what goes wrong there comes back, and the caller keeps its own.
TEST(CudaCompanions, AreOnThreadsOfTheirOwn) {
    WORDBREADTH_NEEDS_GPU();
    const int before = wordbreadth::cuda::current_gpu();
    bool is_run = false;
    EXPECT_THROW(wordbreadth::cuda::on_gpu(wordbreadth::cuda::gpu_count(), [&] { is_run = true; }), std::runtime_error);
    EXPECT_FALSE(is_run);
    EXPECT_EQ(wordbreadth::cuda::current_gpu(), before);
    std::thread::id thread;
    wordbreadth::cuda::on_gpu(before, [&] { thread = std::this_thread::get_id(); });
    EXPECT_EQ(thread, std::this_thread::get_id());
}

TEST(CudaCompanions, ManyPairsOfOneShapeGiveTheSameCounts) {
    WORDBREADTH_NEEDS_GPU();
    TestOptions options;
    options.permutations = 20'000;
    expect_same_on_three(random_clouds(150, 40, 64), options);
}

// Kernels are given different amounts of shared memory at the same time.
TEST(CudaCompanions, PairsOfManyShapesGiveTheSameCountsAsTheCpu) {
    WORDBREADTH_NEEDS_GPU();
    std::vector<Cloud> clouds;
    for (std::size_t k = 0; k < 40; ++k)
        clouds.push_back(random_cloud("w" + std::to_string(k), 20 + 9 * k, 48, 1, static_cast<unsigned>(k)));
    for (const Statistic statistic : {Statistic::plain, Statistic::robust}) {
        TestOptions options;
        options.permutations = 2000;
        options.statistic = statistic;
        expect_same_on_three(clouds, options);
        expect_equal(results_of(*started(thrice), clouds, options),
                     results_on("cpu", clouds, all_pairs(clouds.size()), options));
    }
}

TEST(CudaCompanions, FewPairsOfManyPermutationsAreShared) {
    WORDBREADTH_NEEDS_GPU();
    TestOptions options;
    options.permutations = 30'000'000;
    expect_same_on_three(random_clouds(5, 30, 32), options);
}

TEST(CudaCompanions, StopWithinAFifthOfASecond) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(20, 200, 256);
    const std::unique_ptr<Backend> three = started(thrice);
    TestOptions options;
    options.permutations = 1'000'000'000;
    double best = 1e9;
    for (int again = 0; again < 3; ++again) {
        std::stop_source source;
        options.execution.stop = source.get_token();
        Clock::time_point asked;
        const std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            asked = Clock::now();
            source.request_stop();
        });
        EXPECT_THROW((void)results_of(*three, clouds, options), Cancelled);
        best = std::min(best, std::chrono::duration<double>(Clock::now() - asked).count());
    }
    std::printf("three backends: %.3f s\n", best);
    EXPECT_LT(best, 0.2);
    options.execution = {};
    options.permutations = 1000;
    expect_equal(results_of(*three, clouds, options), results_on("cpu", clouds, all_pairs(clouds.size()), options));
}

}  // namespace
}  // namespace wordbreadth::engine
