// How soon a long call on the GPU ends once it is told to stop, by every way that splits are decided.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <thread>

#include "engine/cuda_testing.h"
#include "support/gpu.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto stop_after = std::chrono::milliseconds(300);
constexpr double latest = 0.2;  // seconds after that
constexpr int tries = 3;

struct LongCall {
    std::string name;
    std::function<std::vector<Cloud>()> clouds;
    Statistic statistic = Statistic::plain;
    std::uint64_t permutations = 100'000'000;
    std::string device = "cuda";
    std::uint64_t adaptive = 0;
};

std::vector<Cloud> two_clouds(std::size_t n, std::size_t m, std::size_t d) {
    return {random_cloud("x", n, d, 1, 1), random_cloud("y", m, d, 1.01, 2)};
}

std::vector<Cloud> in_blocks(std::size_t blocks, std::size_t d) {
    std::vector<Cloud> clouds = two_clouds(2 * blocks, 2 * blocks, d);
    std::vector<std::uint64_t> labels(2 * blocks);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = i / 2;
    for (Cloud& cloud : clouds) cloud.set_blocks(labels);
    return clouds;
}

// Rows of two directions: the statistic has few values, and the host decides about those that equal the observed one.
std::vector<Cloud> with_ties(std::size_t n) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.insert(values.end(), {1.0, i % 2 == 0 ? 1.0 : 0.5, 0.2});
    return {Cloud("x", values, 3), Cloud("y", values, 3)};
}

std::vector<LongCall> long_calls() {
    const auto of = [](std::size_t n, std::size_t m, std::size_t d) { return [=] { return two_clouds(n, m, d); }; };
    return {
        {"Plain", of(100, 100, 384), Statistic::plain, 100'000'000'000},
        {"Robust", of(100, 100, 384), Statistic::robust, 10'000'000'000},
        {"UnequalSizes", of(40, 160, 384), Statistic::plain, 10'000'000'000},
        {"RobustWithoutSharedMemory", of(2000, 2000, 384), Statistic::robust},
        {"LargeClouds", of(3000, 3000, 512), Statistic::plain},
        {"LargeCloudsRobust", of(3000, 3000, 512), Statistic::robust},
        {"LargeCloudsStoppingEarly", of(3000, 3000, 512), Statistic::robust, 100'000'000, "cuda", 90'000'000},
        {"VeryLargeClouds", of(25'000, 25'000, 256), Statistic::robust},
        {"Blocks", [] { return in_blocks(1000, 256); }, Statistic::blocks},
        {"LargeBlocks", [] { return in_blocks(3000, 256); }, Statistic::blocks},
        {"Ties", [] { return with_ties(64); }},
        {"AllPairs", [] { return random_clouds(40, 500, 384); }, Statistic::robust, 1'000'000},
        {"Paper", of(3000, 3000, 512), Statistic::plain, 100'000'000, "cuda-paper"},
        {"PaperOfSmallClouds", of(50, 50, 8), Statistic::plain, 10'000'000'000, "cuda-paper"},
        {"PaperStoppingEarly", of(3000, 3000, 8), Statistic::plain, 100'000'000, "cuda-paper", 90'000'000},
    };
}

class CudaStopping : public testing::TestWithParam<LongCall> {};

// Seconds from the request to the end of the call.
double latency(const LongCall& call, const std::vector<Cloud>& clouds) {
    std::stop_source source;
    TestOptions options;
    options.statistic = call.statistic;
    options.permutations = call.permutations;
    options.adaptive = call.adaptive;
    options.execution.device = call.device;
    options.execution.stop = source.get_token();
    Clock::time_point asked;
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(stop_after);
        asked = Clock::now();
        source.request_stop();
    });
    EXPECT_THROW(static_cast<void>(test_pairs(clouds, all_pairs(clouds.size()), options)), Cancelled);
    const Clock::time_point end = Clock::now();
    return source.stop_requested() ? std::chrono::duration<double>(end - asked).count() : 0;
}

TEST_P(CudaStopping, EndsSoonAfterItIsAskedTo) {
    WORDBREADTH_NEEDS_GPU();
    const LongCall& call = GetParam();
    const std::vector<Cloud> clouds = call.clouds();
    static_cast<void>(results_on(call.device, random_clouds(2, 10, 8), {{0, 1}}, {}));  // the driver starts
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < tries; ++i) best = std::min(best, latency(call, clouds));
    RecordProperty("seconds", std::to_string(best));
    std::printf("%s: %.3f s\n", call.name.c_str(), best);
    EXPECT_LT(best, latest);
}

INSTANTIATE_TEST_SUITE_P(LongCalls, CudaStopping, testing::ValuesIn(long_calls()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace wordbreadth
