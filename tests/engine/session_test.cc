// Sessions: the same results as single calls, whatever the elements, the device and the order of calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <random>
#include <thread>

#include "support/errors.h"
#include "support/gpu.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

std::uint16_t to_f16(double value) {  // for values that need no rounding
    int exponent = 0;
    const double fraction = std::frexp(std::abs(value), &exponent);
    const auto bits = static_cast<std::uint16_t>(std::lrint(fraction * 2048) - 1024);
    const auto sign = static_cast<std::uint16_t>(value < 0 ? 0x8000 : 0);
    return value == 0 ? sign : static_cast<std::uint16_t>(sign | (exponent + 14) << 10 | bits);
}

std::uint16_t to_bf16(double value) {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16);
}

// Multiples of 1/32 under 4 in magnitude: exact in all four types.
std::vector<double> values(std::size_t n, std::size_t d, unsigned seed, double spread) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, spread);
    std::vector<double> all(n * d);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = std::clamp(std::round(32 * (noise(random) + (i % d == 0 ? 1 : 0))) / 32, -3.0, 3.0);
    return all;
}

CloudHandle add(Session& session, const std::string& name, Element element, const std::vector<double>& all,
                std::size_t d) {
    std::vector<std::uint16_t> half(all.size());
    switch (element) {
        case Element::f32:
            return session.add(name, std::vector<float>(all.begin(), all.end()), d);
        case Element::f64:
            return session.add(name, all, d);
        case Element::f16:
            std::ranges::transform(all, half.begin(), to_f16);
            return session.add(name, half, element, d);
        case Element::bf16:
            std::ranges::transform(all, half.begin(), to_bf16);
            return session.add(name, half, element, d);
    }
    return {};
}

Execution on(const std::string& device) {
    Execution execution;
    execution.device = device;
    execution.threads = 2;
    return execution;
}

TestOptions options(Statistic statistic = Statistic::plain) {
    TestOptions all;
    all.statistic = statistic;
    all.permutations = 3000;
    all.execution = on("reference");
    return all;
}

void expect_same(const TestResult& a, const TestResult& b) {
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.n, b.n);
    EXPECT_EQ(a.m, b.m);
    EXPECT_EQ(a.T, b.T);
    EXPECT_EQ(a.t, b.t);
    EXPECT_EQ(a.ci_low, b.ci_low);
    EXPECT_EQ(a.exceedances, b.exceedances);
    EXPECT_EQ(a.permutations, b.permutations);
    EXPECT_EQ(a.p, b.p);
    EXPECT_EQ(a.null_distribution, b.null_distribution);
}

// Once for each device that is available here.
class Sessions : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        if (std::string(GetParam()) == "cuda" && !gpu_is_here()) GTEST_SKIP() << "no GPU";
    }
    [[nodiscard]] static bool gpu_is_here() {
        for (const Device& device : devices())
            if (device.name == "cuda") return device.available;
        return false;
    }
};
INSTANTIATE_TEST_SUITE_P(Devices, Sessions, testing::Values("cpu", "reference", "cuda"),
                         [](const auto& one) { return std::string(one.param) == "cuda" ? "Cuda" : one.param; });

TEST_P(Sessions, GiveTheResultsOfSingleCallsForEveryElementType) {
    const std::vector<double> of_x = values(23, 19, 1, 0.30), of_y = values(17, 19, 2, 0.25);
    const Cloud x("x", of_x, 19), y("y", of_y, 19);
    Session session(on(GetParam()));
    for (const Statistic statistic : {Statistic::plain, Statistic::robust}) {
        TestOptions how = options(statistic);
        how.null_distribution = true;
        const TestResult expected = test(x, y, how);
        for (const Element element : {Element::f32, Element::f64, Element::f16, Element::bf16}) {
            const CloudHandle a = add(session, "x", element, of_x, 19), b = add(session, "y", element, of_y, 19);
            expect_same(session.test(a, b, how), expected);
            expect_same(session.test(a, b, how), expected);  // what the first call left does not matter
            EXPECT_EQ(session.breadth(a).v_standard_error, breadth(x).v_standard_error);
            EXPECT_EQ(session.breadth(b).v, breadth(y).v);
        }
    }
}

TEST_P(Sessions, TestPairsOfMixedSizesAndTypesAsSingleCallsDo) {
    std::vector<Cloud> clouds;
    std::vector<CloudHandle> handles;
    Session session(on(GetParam()));
    for (unsigned k = 0; k < 6; ++k) {
        const std::vector<double> all = values(8 + k % 3, 11, k, 0.2 + 0.05 * k);
        clouds.emplace_back("c" + std::to_string(k), all, 11);
        handles.push_back(add(session, "c" + std::to_string(k), static_cast<Element>(k % 4), all, 11));
    }
    std::vector<Pair> pairs;
    std::vector<HandlePair> of_handles;
    for (std::size_t a = 0; a < 6; ++a)
        for (std::size_t b = 0; b < a; ++b) {
            pairs.push_back({a, b});
            of_handles.push_back({handles[a], handles[b]});
        }
    for (const std::uint64_t seed : {0, 5, 0, 0}) {
        TestOptions how = options();
        how.seed = seed;
        const auto expected = test_pairs(clouds, pairs, how);
        const auto found = session.test_pairs(of_handles, how);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) expect_same(found[k], expected[k]);
    }
}

TEST_P(Sessions, BorrowRowsAndTakeClouds) {
    const std::vector<double> of_x = values(12, 7, 3, 0.3);
    const std::vector<float> floats(of_x.begin(), of_x.end());
    const Cloud x("x", of_x, 7), y("y", values(9, 7, 4, 0.2), 7);
    Session session(on(GetParam()));
    const CloudHandle a = session.add("x", Rows{floats.data(), Element::f32, 12, 7});
    const CloudHandle b = session.add(Cloud(y));
    expect_same(session.test(a, b, options()), test(x, y, options()));
    EXPECT_TRUE(session.device().starts_with(GetParam()));
}

TEST_P(Sessions, AddManyCloudsAndSayWhyOneIsNone) {
    Session session(on(GetParam()));
    const std::vector<double> x = values(9, 6, 1, 0.3), y = values(7, 6, 2, 0.4), zero(6 * 4);
    const std::vector<NamedRows> rows = {{"x", {x.data(), Element::f64, 9, 6, false, {}}},
                                         {"none", {zero.data(), Element::f64, 4, 6, false, {}}, "a file"},
                                         {"y", {y.data(), Element::f64, 7, 6, false, {}}}};
    const std::vector<AddedCloud> added = session.add(rows);
    ASSERT_EQ(added.size(), 3U);
    EXPECT_EQ(session.size(), 2U);
    EXPECT_FALSE(added[1].handle);
    EXPECT_EQ(added[1].reason, error_of([&] { (void)session.add(rows[1].name, rows[1].rows, rows[1].origin); }));
    const TestResult found = session.test(*added[0].handle, *added[2].handle);
    EXPECT_EQ(found.exceedances, test(Cloud("x", x, 6), Cloud("y", y, 6)).exceedances);
    EXPECT_EQ(found.x, "x");
}

TEST_P(Sessions, ForgetACloudThatIsRemoved) {
    Session session(on(GetParam()));
    const Cloud y("y", values(9, 7, 4, 0.2), 7);
    const CloudHandle b = session.add(Cloud(y));
    for (unsigned k = 0; k < 4; ++k) {
        const Cloud x("x", values(10, 7, 20 + k, 0.3), 7);
        const CloudHandle a = session.add(Cloud(x));
        expect_same(session.test(a, b, options()), test(x, y, options()));
        session.remove(a);
        EXPECT_EQ(session.size(), 1U);
        EXPECT_NE(error_of([&] { (void)session.test(a, b); }).find("is not in this session"), std::string::npos);
        EXPECT_NE(error_of([&] { (void)session.breadth(a); }).find("is not in this session"), std::string::npos);
        EXPECT_NE(error_of([&] { session.remove(a); }).find("is not in this session"), std::string::npos);
    }
}

TEST_P(Sessions, LeaveResultsThatNeedNeitherThemNorTheirClouds) {
    std::vector<Cloud> clouds;
    for (unsigned k = 0; k < 3; ++k) clouds.emplace_back("c" + std::to_string(k), values(9, 7, k, 0.2 + 0.1 * k), 7);
    clouds[1].set_blocks(std::vector<std::uint64_t>{0, 0, 0, 1, 1, 2, 2, 3, 3});
    const std::vector<Pair> pairs{{0, 1}, {2, 1}, {1, 1}};
    for (const Statistic statistic : {Statistic::plain, Statistic::robust, Statistic::blocks}) {
        const std::span<const Pair> tested = std::span(pairs).subspan(statistic == Statistic::blocks ? 2 : 0);
        const std::vector<TestResult> expected = test_pairs(clouds, tested, options(statistic));
        TestResults found;
        {
            Session session(on(GetParam()));
            std::vector<CloudHandle> handles;
            for (const Cloud& cloud : clouds) handles.push_back(session.add(Cloud(cloud)));
            std::vector<HandlePair> of_handles;
            for (const Pair& pair : tested) of_handles.push_back({handles[pair.x], handles[pair.y]});
            found = session.test_many_pairs(of_handles, options(statistic));
            (void)session.breadth(handles[1]);  // looks at its blocks
            for (const CloudHandle handle : handles) session.remove(handle);
        }
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
            expect_same(found.result(k), expected[k]);
            EXPECT_EQ(found.p[k], expected[k].p);
        }
    }
}

TEST_P(Sessions, RefuseClouds) {
    Session session(on(GetParam()));
    const std::vector<float> good{1, 0, 0, 1, 1, 1, 0};
    const auto refused = [&](const Rows& rows) { return error_of([&] { (void)session.add("bank", rows, "here"); }); };
    EXPECT_EQ(refused({nullptr, Element::f32, 3, 2}), "bank (here): its rows are a null pointer; expected 3 rows");
    EXPECT_NE(refused({reinterpret_cast<const std::byte*>(good.data()) + 1, Element::f32, 2, 2}).find("not aligned"),
              std::string::npos);
    EXPECT_NE(refused({good.data(), Element::f32, 1, 2}).find("bank (here): 1 row;"), std::string::npos);
    EXPECT_NE(refused({good.data(), Element::f32, 3, 1}).find("1 dimensions; expected 2 to"), std::string::npos);
    EXPECT_NE(refused({good.data(), Element::f32, 3, 1'000'000}).find("dimensions; expected"), std::string::npos);
    EXPECT_NE(error_of([&] { (void)session.add("bank", good, 2); }).find("7 values do not make whole rows"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  (void)session.add("bank", std::vector<float>{1, 0, 0, 0, 1, 1}, 2);
              }).find("bank: row 1 is all zeros"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  (void)session.add("bank", std::vector<std::uint16_t>(8, 1), Element::f32, 2);
              }).find("f16 or bf16"),
              std::string::npos);
    EXPECT_EQ(session.size(), 0U);
    const CloudHandle a = session.add("a", std::vector<float>{1, 0, 0, 1, 1, 1}, 2);
    const CloudHandle b = session.add("b", std::vector<float>{1, 0, 0, 0, 1, 1}, 3);
    EXPECT_NE(error_of([&] { (void)session.test(a, b); }).find("a has 2 dimensions and b has 3"), std::string::npos);
    // What is on no device is refused by every device.
    EXPECT_NE(refused({good.data(), Element::f32, 3, 2, true}).find("bank (here)"), std::string::npos);
}

TEST_P(Sessions, AnswerToAnotherThread) {
    Session session(on(GetParam()));
    const CloudHandle a = session.add(Cloud("x", values(60, 30, 5, 0.3), 30));
    const CloudHandle b = session.add(Cloud("y", values(60, 30, 6, 0.3), 30));
    TestOptions how = options();
    std::stop_source stop;
    std::atomic<double> seen = 0;
    how.permutations = 4'000'000'000;
    how.execution.stop = stop.get_token();
    how.execution.progress = [&](double done) { seen = done; };
    bool cancelled = false;
    std::thread runner([&] {
        try {
            (void)session.test(a, b, how);
        } catch (const Cancelled&) {
            cancelled = true;
        }
    });
    while (seen == 0) std::this_thread::yield();
    stop.request_stop();
    runner.join();
    EXPECT_TRUE(cancelled);
    EXPECT_GT(seen, 0);
    // The session goes on.
    how = options();
    EXPECT_EQ(session.test(a, b, how).permutations, how.permutations);
}

TEST_P(Sessions, RunSideBySideAndLetOneCallWaitForAnother) {
    const Cloud x("x", values(20, 9, 7, 0.3), 9), y("y", values(14, 9, 8, 0.2), 9);
    const TestResult expected = test(x, y, options());
    Session one(on(GetParam())), other(on(GetParam()));
    const CloudHandle a = one.add(Cloud(x)), b = one.add(Cloud(y));
    const CloudHandle c = other.add(Cloud(x)), d = other.add(Cloud(y));
    std::vector<TestResult> found(6);
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < found.size(); ++k)
        threads.emplace_back(
            [&, k] { found[k] = k % 2 == 0 ? one.test(a, b, options()) : other.test(c, d, options()); });
    for (std::thread& thread : threads) thread.join();
    for (const TestResult& result : found) expect_same(result, expected);
}

}  // namespace
}  // namespace wordbreadth
