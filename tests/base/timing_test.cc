#include "wordbreadth/timing.h"

#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <latch>
#include <thread>

namespace wordbreadth {
namespace {

constexpr auto a_while = std::chrono::milliseconds(20);

void sleep() {
    std::this_thread::sleep_for(a_while);
}

constexpr double slept = 0.02;

double sum_alone(const Timing& timing) {
    double sum = 0;
    for (const Timing::Spent& spent : timing.stages()) sum += spent.seconds - spent.overlapping;
    return sum;
}

TEST(Timing, NothingHappensWithoutARecorder) {
    const Timing::Stage stage(nullptr, "reading");
    EXPECT_EQ(timed(nullptr, "reading", [] { return 3; }), 3);
}

TEST(Timing, StagesComeInTheOrderInWhichTheyBegan) {
    Timing timing;
    timed(&timing, "reading", sleep);
    timed(&timing, "testing", [] {});
    timed(&timing, "reading", sleep);
    const auto stages = timing.stages();
    ASSERT_EQ(stages.size(), 2);
    EXPECT_EQ(stages[0].stage, "reading");
    EXPECT_GE(stages[0].seconds, 2 * slept);
    EXPECT_EQ(stages[1].stage, "testing");
}

TEST(Timing, AStageWithinAnotherInterruptsIt) {
    Timing timing;
    timed(&timing, "outer", [&] { timed(&timing, "inner", sleep); });
    const auto stages = timing.stages();
    EXPECT_LE(stages[0].seconds + stages[1].seconds, timing.whole().seconds);
    EXPECT_GE(stages[1].seconds, slept);
    EXPECT_EQ(stages[1].overlapping, 0);
    EXPECT_EQ(timing.whole().overlapping, 0);
}

TEST(Timing, TheStageWithoutANameIsNone) {
    Timing timing;
    timed(&timing, "", [] {});
    timed(&timing, "testing", [&] { timed(&timing, "", sleep); });
    EXPECT_EQ(timing.stages().size(), 1);
    EXPECT_GE(timing.whole().outside, slept);
}

TEST(Timing, AStageThatThrowsEnds) {
    Timing timing;
    EXPECT_THROW(timed(&timing, "reading", [] { throw 1; }), int);
    const double seconds = timing.stages()[0].seconds;
    sleep();
    EXPECT_EQ(timing.stages()[0].seconds, seconds);
}

TEST(Timing, StagesOfSeveralThreadsOverlap) {
    Timing timing;
    std::latch both(2);
    const auto work = [&] {
        both.arrive_and_wait();
        sleep();
    };
    {
        const std::jthread other([&] { timed(&timing, "starting", work); });
        timed(&timing, "reading", work);
    }
    for (const Timing::Spent& spent : timing.stages()) {
        EXPECT_GE(spent.seconds, slept);
        EXPECT_GT(spent.overlapping, 0);
    }
    EXPECT_GT(timing.whole().overlapping, 0);
}

TEST(Timing, ThreadsInOneStageCountOnce) {
    Timing timing;
    {
        const std::jthread other([&] { timed(&timing, "reading", sleep); });
        timed(&timing, "reading", sleep);
    }
    EXPECT_LE(timing.stages()[0].seconds, timing.whole().seconds);
    EXPECT_EQ(timing.stages()[0].overlapping, 0);
}

TEST(Timing, TheWholeIsWhatStagesSpendAloneTogetherAndWhatIsOutside) {
    Timing timing;
    sleep();
    {
        const std::jthread other([&] {
            for (int i = 0; i < 1000; ++i) timed(&timing, i % 2 == 0 ? "odd" : "even", [] {});
        });
        timed(&timing, "reading", sleep);
    }
    const Timing::Whole whole = timing.whole();
    EXPECT_GE(whole.outside, slept);
    EXPECT_GE(whole.seconds, 2 * slept);
    EXPECT_NEAR(sum_alone(timing) + whole.overlapping + whole.outside, whole.seconds, 0.005);
}

TEST(Timing, CpuTimeIsThatOfTheWholeProcess) {
    Timing timing;
    const auto compute = [] {
        const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 20;
        while (std::clock() < end) continue;
    };
    timed(&timing, "computing", compute);
    timed(&timing, "waiting", sleep);
    const auto stages = timing.stages();
    EXPECT_GT(stages[0].cpu_seconds, stages[1].cpu_seconds);
    const Timing::Whole whole = timing.whole();
    EXPECT_GE(whole.user_seconds + whole.system_seconds, stages[0].cpu_seconds / 2);
    EXPECT_GT(whole.peak_bytes, 1 << 20);
}

TEST(Timing, AStageUnderWayCountsUntilNow) {
    Timing timing;
    const Timing::Stage stage(&timing, "reading");
    sleep();
    EXPECT_GE(timing.stages()[0].seconds, slept);
}

TEST(Timing, TheStartOfTheProcessIsKnown) {
    sleep();
    const Timing timing = Timing::since_process_start("starting");
    const auto stages = timing.stages();
    ASSERT_EQ(stages.size(), 1);
    EXPECT_EQ(stages[0].stage, "starting");
    EXPECT_GE(stages[0].seconds, slept / 2);  // to 10 ms
    EXPECT_GE(timing.whole().seconds, stages[0].seconds);
}

}  // namespace
}  // namespace wordbreadth
