// The paper's Algorithm 2 in half precision: near the exact answer, as flexible as the others, and honest about what it
// lacks. What needs a GPU is skipped without one.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/backend.h"
#include "engine/cuda/cuda.h"
#include "support/errors.h"
#include "support/gpu.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth::engine {
namespace {

// ---- opening cuBLAS: needs no GPU, but a build that has the code

#if WORDBREADTH_HAS_CUDA

std::string error_opening(const std::vector<std::string>& files) {
    return error_of([&] { cuda::check_cublas(files); });
}

TEST(CudaCublas, AMissingLibraryIsAnErrorThatTellsWhereItWasLookedFor) {
    const std::string error = error_opening({"libnothing.so.13", "/nowhere/libnothing.so.12"});
    EXPECT_NE(error.find("libnothing.so.13"), std::string::npos) << error;
    EXPECT_NE(error.find("/nowhere/libnothing.so.12"), std::string::npos) << error;
}

TEST(CudaCublas, AMissingLibraryIsSaidToBeNeededForCudaPaperOnly) {
    const std::string error = error_opening({"libnothing.so.13"});
    EXPECT_EQ(error.find("cuda-paper needs cuBLAS"), 0U) << error;
    EXPECT_NE(error.find("device cuda, which does without"), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

TEST(CudaCublas, ALibraryWithoutItsFunctionsIsAnErrorThatNamesIt) {
    const std::string error = error_opening({"libnothing.so.13", "libm.so.6"});
    EXPECT_EQ(error.find("libm.so.6 is not a cuBLAS"), 0U) << error;
    EXPECT_NE(error.find("cublasCreate_v2"), std::string::npos) << error;
}

TEST(CudaCublas, IsLookedForByNameFirstAndThenInTheUsualFolder) {
    const std::vector<std::string> files = cuda::cublas_files();
    ASSERT_FALSE(files.empty());
    EXPECT_EQ(files.front(), "libcublas.so.13");
    EXPECT_EQ(files.back(), "/usr/local/cuda/lib64/libcublas.so.12");
}

#endif

// ---- the backend: needs a GPU and cuBLAS

class CudaPaper : public testing::Test {
  protected:
    void SetUp() override {
        WORDBREADTH_NEEDS_GPU();
        Execution execution;
        execution.device = "cuda-paper";
        const std::string error = error_of([&] { static_cast<void>(make_backend(execution)); });
        if (error != "no error") GTEST_SKIP() << "no cuBLAS: " << error;
    }
};

// Rows about a direction of the cloud's own; `spread` is the noise's length against the direction's, so clouds of equal
// spread are about equally broad.
Cloud cloud(std::size_t rows, std::size_t d, double spread, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> mean(d);
    double squares = 0;
    for (double& value : mean) {
        value = normal(random);
        squares += value * value;
    }
    for (double& value : mean) value *= std::sqrt(static_cast<double>(d) / squares);
    std::vector<double> values;
    for (std::size_t i = 0; i < rows * d; ++i) values.push_back(mean[i % d] + spread * normal(random));
    return {"cloud" + std::to_string(seed), std::move(values), d};
}

TestOptions on(const std::string& device, std::uint64_t permutations = 2000) {
    TestOptions options;
    options.permutations = permutations;
    options.seed = 5;
    options.execution.device = device;
    return options;
}

// The largest error of p that half precision is granted: T is off by some 1e-4, a hundredth of its own spread or less.
constexpr double tolerance = 0.005;

struct Case {
    std::size_t n, m, d;
    double spread_x, spread_y;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.n << "+" << c.m << " x " << c.d;
}

class CudaPaperShapes : public CudaPaper, public testing::WithParamInterface<Case> {};

TEST_P(CudaPaperShapes, PIsNearTheExactOneForEveryAlternativeAndAlignment) {
    const Case c = GetParam();
    const Cloud x = cloud(c.n, c.d, c.spread_x, 1);
    const Cloud y = cloud(c.m, c.d, c.spread_y, 2);
    for (const Alignment align : {Alignment::householder, Alignment::none}) {
        for (const Alternative alternative : {Alternative::greater, Alternative::less, Alternative::two_sided}) {
            TestOptions options = on("cuda-paper");
            options.align = align;
            options.alternative = alternative;
            const TestResult paper = test(x, y, options);
            options.execution.device = "cpu";
            const TestResult exact = test(x, y, options);
            EXPECT_EQ(paper.device, "cuda-paper (float16)");
            EXPECT_EQ(paper.permutations, exact.permutations);
            EXPECT_NEAR(paper.p, exact.p, tolerance)
                << "align " << static_cast<int>(align) << ", alternative " << static_cast<int>(alternative);
        }
    }
}

// Widths about the padding to 8, N odd, N below and above d, groups of unlike sizes; clouds alike (p anywhere) and well
// apart (p at its ends).
INSTANTIATE_TEST_SUITE_P(Shapes, CudaPaperShapes,
                         testing::Values(Case{20, 21, 3, 1.0, 1.0}, Case{40, 41, 7, 1.0, 1.2},
                                         Case{33, 30, 8, 1.0, 1.0}, Case{30, 31, 65, 1.0, 1.0},
                                         Case{20, 80, 96, 1.0, 0.95}, Case{80, 20, 96, 0.6, 1.0},
                                         Case{100, 100, 384, 1.0, 1.0}, Case{128, 128, 1024, 1.0, 1.01},
                                         Case{150, 151, 20, 1.0, 1.0}, Case{2, 400, 16, 1.0, 1.0}));

TEST_F(CudaPaper, EnumeratesTheSplitsOfSmallCloudsAndCountsTheObservedOne) {
    for (const auto& [n, m] : {std::pair{4, 5}, std::pair{2, 3}, std::pair{5, 5}}) {
        const Cloud x = cloud(n, 6, 1.0, 3);
        const Cloud y = cloud(m, 6, 1.0, 4);
        const TestResult paper = test(x, y, on("cuda-paper"));
        const TestResult exact = test(x, y, on("cpu"));
        EXPECT_TRUE(paper.exact);
        EXPECT_EQ(paper.permutations, exact.permutations);
        EXPECT_GE(paper.exceedances, 1U);
        // A tie with the observed split, its mirror image say, may be broken either way.
        EXPECT_NEAR(static_cast<double>(paper.exceedances), static_cast<double>(exact.exceedances), 1);
    }
}

TEST_F(CudaPaper, EnumerationDoesNotDependOnTheChunk) {
    const Cloud x = cloud(4, 6, 1.0, 3);
    const Cloud y = cloud(5, 6, 1.0, 4);
    TestOptions options = on("cuda-paper");
    const std::uint64_t whole = test(x, y, options).exceedances;
    options.execution.block = 11;
    EXPECT_EQ(test(x, y, options).exceedances, whole);
}

TEST_F(CudaPaper, StopsAtTheHthExceedance) {
    const Cloud x = cloud(30, 48, 1.0, 1);
    const Cloud y = cloud(35, 48, 1.0, 2);
    TestOptions options = on("cuda-paper", 20000);
    options.adaptive = 25;
    options.execution.block = 256;
    const TestResult stopped = test(x, y, options);
    ASSERT_TRUE(stopped.stopped_early);
    EXPECT_EQ(stopped.exceedances, 25U);
    EXPECT_DOUBLE_EQ(stopped.p, 25.0 / static_cast<double>(stopped.permutations));

    // The split where it stopped is the one that made it 25.
    options.adaptive = 0;
    options.permutations = stopped.permutations;
    EXPECT_EQ(test(x, y, options).exceedances, 25U);
    options.permutations = stopped.permutations - 1;
    EXPECT_EQ(test(x, y, options).exceedances, 24U);
}

TEST_F(CudaPaper, GoesOnToTheEndWhereTheLimitIsNotReached) {
    const Cloud x = cloud(30, 48, 1.0, 1);
    const Cloud y = cloud(35, 48, 0.4, 2);
    TestOptions options = on("cuda-paper", 3000);
    options.adaptive = 500;
    const TestResult result = test(x, y, options);
    EXPECT_FALSE(result.stopped_early);
    EXPECT_EQ(result.permutations, 3000U);
}

TEST_F(CudaPaper, ChunksDoNotChangeTheCount) {
    const Cloud x = cloud(30, 48, 1.0, 1);
    const Cloud y = cloud(35, 48, 1.0, 2);
    TestOptions options = on("cuda-paper", 1500);
    const auto whole = static_cast<double>(test(x, y, options).exceedances);
    for (const std::size_t block : {7U, 500U, 1499U}) {
        options.execution.block = block;
        // cuBLAS may add up in another order where the shape is another: a split at the very threshold may change
        // sides.
        EXPECT_NEAR(static_cast<double>(test(x, y, options).exceedances), whole, 1) << block;
    }
}

TEST_F(CudaPaper, ManyPairsGiveWhatEachGivesAlone) {
    std::vector<Cloud> clouds;
    for (unsigned k = 0; k < 6; ++k) clouds.push_back(cloud(k < 4 ? 30 : 20, 40, 1.0, k + 1));
    const std::vector<Pair> pairs{{0, 1}, {2, 3}, {1, 2}, {0, 4}, {5, 4}};
    const std::vector<TestResult> together = test_pairs(clouds, pairs, on("cuda-paper"));
    for (std::size_t k = 0; k < pairs.size(); ++k)
        EXPECT_EQ(together[k].exceedances, test(clouds[pairs[k].x], clouds[pairs[k].y], on("cuda-paper")).exceedances)
            << k;
}

TEST_F(CudaPaper, RefusesTheRobustStatisticAndTellsWhatHasIt) {
    TestOptions options = on("cuda-paper");
    options.statistic = Statistic::robust;
    const std::string error =
        error_of([&] { static_cast<void>(test(cloud(20, 16, 1.0, 1), cloud(20, 16, 1.0, 2), options)); });
    EXPECT_TRUE(contains(error, "plain") && contains(error, "device cuda")) << error;
}

TEST_F(CudaPaper, ReportsProgressUpToTheWholeAndNeverBack) {
    TestOptions options = on("cuda-paper", 5000);
    double last = 0;
    bool back = false;
    options.execution.progress = [&](double done) {
        back = back || done < last;
        last = done;
    };
    static_cast<void>(test(cloud(20, 16, 1.0, 1), cloud(20, 16, 1.0, 2), options));
    EXPECT_FALSE(back);
    EXPECT_EQ(last, 1.0);
}

TEST_F(CudaPaper, StopsWhenAskedTo) {
    std::stop_source source;
    source.request_stop();
    for (const std::uint64_t adaptive : {0U, 10U}) {
        TestOptions options = on("cuda-paper", 5000);
        options.adaptive = adaptive;
        options.execution.stop = source.get_token();
        EXPECT_THROW(static_cast<void>(test(cloud(20, 16, 1.0, 1), cloud(20, 16, 1.0, 2), options)), Cancelled);
    }
}

}  // namespace
}  // namespace wordbreadth::engine
