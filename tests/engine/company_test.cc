// A backend that shares its work with companions: here backends of the CPU, where the real ones are further GPUs.
#include "engine/company.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "engine/cuda_testing.h"
#include "engine/pair_tests.h"
#include "wordbreadth/error.h"

namespace wordbreadth::engine {
namespace {

Execution one_thread() {
    Execution execution;
    execution.threads = 1;
    return execution;
}

// Counts on the CPU, and has companions like it. Notes who was asked for, and who has counted how many pairs.
class Team : public Backend {
  public:
    explicit Team(std::size_t companions = 0, bool is_running = true)
        : Backend(one_thread()), inner_(cpu::make(one_thread())), is_running_(is_running) {
        for (std::size_t k = 0; k < companions; ++k) companions_.push_back(std::make_unique<Team>());
    }

    [[nodiscard]] std::string label() const override { return inner_->label(); }
    [[nodiscard]] std::vector<permutation::Tally> count(const Job& job, base::Monitor& monitor) override {
        pairs += job.pairs.size();
        return inner_->count(job, monitor);
    }
    void forget(const geometry::UnitRows& cloud) override { inner_->forget(cloud); }
    [[nodiscard]] std::size_t companions() const override { return companions_.size(); }
    [[nodiscard]] Backend* companion(std::size_t k) override {
        ++asked;
        return companions_[k].get();
    }
    [[nodiscard]] bool has_company() const override { return is_running_; }
    [[nodiscard]] Team& of(std::size_t k) { return *companions_[k]; }

    std::size_t pairs = 0, asked = 0;

  private:
    std::unique_ptr<Backend> inner_;
    bool is_running_;
    std::vector<std::unique_ptr<Team>> companions_;
};

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

base::Monitor quiet_monitor(const std::stop_token& stop = {}) {
    return {1, {}, stop};
}

TEST(Company, DoesEachPieceOfWorkOnceAndAllTakePart) {
    Team team(2);
    base::Monitor monitor = quiet_monitor();
    std::vector<std::atomic<int>> done(40);
    std::mutex mutex;
    std::set<Backend*> at_work;
    const auto work = [&](Backend& one, std::size_t i) {
        ++done[i];
        const std::lock_guard lock(mutex);
        at_work.insert(&one);
    };
    // Each waits until the others have come.
    run_with_company(
        team, std::vector<double>(done.size(), 1.0),
        [&](Backend& one, std::size_t i) {
            work(one, i);
            const auto late = Clock::now() + std::chrono::seconds(20);
            const auto all_are_there = [&] {
                const std::lock_guard lock(mutex);
                return at_work.size() == 3;
            };
            while (!all_are_there() && Clock::now() < late) std::this_thread::yield();
        },
        monitor);
    EXPECT_TRUE(std::ranges::all_of(done, [](const std::atomic<int>& times) { return times == 1; }));
    EXPECT_EQ(at_work.size(), 3U);
}

TEST(Company, IsNotStartedForALittleWork) {
    Team team(2, false);
    base::Monitor monitor = quiet_monitor();
    std::atomic<int> done = 0;
    run_with_company(
        team, std::vector<double>(50, 1.0), [&](Backend&, std::size_t) { ++done; }, monitor);
    EXPECT_EQ(done, 50);
    EXPECT_EQ(team.asked, 0U);
}

// Two pieces of 2,000 are done in some milliseconds: the others would take seconds.
TEST(Company, IsStartedOnceTheRestTurnsOutToTakeSeconds) {
    Team team(1, false);
    base::Monitor monitor = quiet_monitor();
    std::stop_source stop;
    std::size_t pieces = 0;
    const auto slow = [&](Backend& one, std::size_t) {
        if (&one != &team) stop.request_stop();
        if (stop.stop_requested() || ++pieces > 1000) throw Cancelled();
        std::this_thread::sleep_for(milliseconds(3));
    };
    EXPECT_THROW(run_with_company(team, std::vector<double>(2000, 1.0), slow, monitor), Cancelled);
    EXPECT_GT(team.asked, 0U);
    EXPECT_TRUE(stop.stop_requested());
    EXPECT_LT(pieces, 100U);
}

TEST(Company, IsStartedForManySmallCallsThatTakeSecondsTogether) {
    Team team(1, false);
    team.add_busy_seconds(5);
    base::Monitor monitor = quiet_monitor();
    run_with_company(
        team, std::vector<double>(3, 1.0), [](Backend&, std::size_t) {}, monitor);
    EXPECT_GT(team.asked, 0U);
}

// A GPU whose memory others have filled.
TEST(Company, WhatACompanionFailsAtIsDoneWithoutIt) {
    Team team(2);
    base::Monitor monitor = quiet_monitor();
    std::vector<std::atomic<int>> done(30);
    std::atomic<int> failures = 0;
    const auto work = [&](Backend& one, std::size_t i) {
        if (&one != &team) {
            ++failures;
            throw InputError("no room");
        }
        while (failures < 2) std::this_thread::yield();
        ++done[i];
    };
    run_with_company(team, std::vector<double>(done.size(), 1.0), work, monitor);
    EXPECT_EQ(failures, 2);  // each once: neither is given more
    EXPECT_TRUE(std::ranges::all_of(done, [](const std::atomic<int>& times) { return times == 1; }));
}

TEST(Company, AnErrorIsReportedOnceAndStopsTheOthers) {
    Team team(2);
    base::Monitor monitor = quiet_monitor();
    std::atomic<int> at_work = 0, stopped = 0;
    const auto work = [&](Backend& one, std::size_t) {
        ++at_work;
        if (&one == &team) {
            while (at_work < 3) std::this_thread::yield();
            throw InputError("the clouds are at fault");
        }
        const auto late = Clock::now() + std::chrono::seconds(20);
        try {
            for (; Clock::now() < late; std::this_thread::yield()) monitor.check();
        } catch (const Cancelled&) {
            ++stopped;
            throw;
        }
    };
    EXPECT_THROW(run_with_company(team, std::vector<double>(30, 1.0), work, monitor), InputError);
    EXPECT_EQ(at_work, 3);
    EXPECT_EQ(stopped, 2);
}

// Also one that comes when the first has nothing left to do and waits for a companion.
TEST(Company, ARequestToStopEndsWithCancelled) {
    Team team(1);
    std::stop_source stop;
    base::Monitor monitor = quiet_monitor(stop.get_token());
    std::atomic<bool> is_companion_at_work = false;
    const auto work = [&](Backend& one, std::size_t) {
        if (&one == &team) {
            while (!is_companion_at_work) std::this_thread::yield();
            return;
        }
        is_companion_at_work = true;
        std::this_thread::sleep_for(milliseconds(20));
        stop.request_stop();
        monitor.check();
    };
    EXPECT_THROW(run_with_company(team, std::vector<double>(2, 1.0), work, monitor), Cancelled);
}

std::vector<TestResult> results_of(Backend& backend, const std::vector<Cloud>& clouds, const TestOptions& options) {
    const std::vector<Pair> list = all_pairs(clouds.size());
    const CloudPairs pairs(clouds, list);
    return run_tests(backend, pairs.pairs(), options, false);
}

// Clouds of several sizes: many groups of few pairs, and one of many.
std::vector<Cloud> clouds_of_many_sizes() {
    std::vector<Cloud> clouds;
    for (std::size_t k = 0; k < 16; ++k)
        clouds.push_back(random_cloud("w" + std::to_string(k), 12 + (k < 8 ? k : 0), 9,
                                      1 + 0.1 * static_cast<double>(k), static_cast<unsigned>(k)));
    return clouds;
}

TEST(Company, TestsHaveTheSameResultsInTheSameOrder) {
    const std::vector<Cloud> clouds = clouds_of_many_sizes();
    for (const bool with_null : {false, true}) {
        TestOptions options;
        options.permutations = 3000;
        options.statistic = Statistic::plain;
        options.null_distribution = options.tail_estimate = with_null;
        Team alone, team(3);
        const std::vector<TestResult> one = results_of(alone, clouds, options),
                                      four = results_of(team, clouds, options);
        expect_equal(four, one);
        for (std::size_t i = 0; i < one.size(); ++i) {
            EXPECT_EQ(four[i].x + four[i].y, one[i].x + one[i].y);
            EXPECT_EQ(four[i].null_distribution, one[i].null_distribution);
            EXPECT_EQ(four[i].tail.has_value(), one[i].tail.has_value());
        }
        std::size_t pairs = team.pairs;
        for (std::size_t k = 0; k < 3; ++k) pairs += team.of(k).pairs;
        EXPECT_EQ(pairs, one.size());
        EXPECT_LT(team.pairs, one.size());  // or nothing was shared
    }
}

TEST(Company, ProgressGoesForwardToTheEndAndComesFromOneThreadAtATime) {
    const std::vector<Cloud> clouds = clouds_of_many_sizes();
    TestOptions options;
    options.permutations = 2000;
    std::atomic<int> inside = 0;
    double last = 0;
    options.execution.progress = [&](double done) {
        EXPECT_EQ(++inside, 1);
        EXPECT_GE(done, last);
        last = done;
        --inside;
    };
    Team team(3);
    (void)results_of(team, clouds, options);
    EXPECT_EQ(last, 1.0);
}

TEST(Company, TestsStopOnRequest) {
    const std::vector<Cloud> clouds = clouds_of_many_sizes();
    TestOptions options;
    options.permutations = 50'000'000;
    std::stop_source stop;
    options.execution.stop = stop.get_token();
    Team team(2);
    Clock::time_point asked;
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(milliseconds(100));
        asked = Clock::now();
        stop.request_stop();
    });
    EXPECT_THROW((void)results_of(team, clouds, options), Cancelled);
    EXPECT_LT(Clock::now() - asked, std::chrono::seconds(5));
}

}  // namespace
}  // namespace wordbreadth::engine
