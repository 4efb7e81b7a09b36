#include "wordbreadth/pair_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include "support/errors.h"
#include "support/small_store.h"
#include "wordbreadth/cloud_source.h"

namespace wordbreadth {
namespace {

namespace fs = std::filesystem;

// 23 words of several sizes, two of which have too few rows for a breadth of the common size of 5.
class PairParts : public ::testing::Test {
  protected:
    PairParts() {
        std::vector<store::PlannedWord> words;
        for (std::size_t w = 0; w < 23; ++w)
            words.push_back({"word" + std::string(1, static_cast<char>('a' + w)), 50, w % 11 == 3 ? 4 : 8 + w % 3,
                             0.3 + 0.05 * static_cast<double>(w)});
        store::write_store(store_, words, 6, 3);
        job_.clouds = store_;
        job_.test.permutations = 150;
        job_.test.seed = 3;
    }

    void run(const Part& part) const { (void)test_pairs_in_part(job_, part, out_); }

    void run_all(std::uint64_t parts) const {
        std::vector<std::uint64_t> order;
        for (std::uint64_t number = 1; number <= parts; ++number) order.push_back(number);
        std::ranges::shuffle(order, std::mt19937(5));
        for (const std::uint64_t number : order) run({number, parts});
    }

    [[nodiscard]] std::vector<std::string> tiles() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::recursive_directory_iterator(out_))
            if (entry.path().extension() == ".tile") found.push_back(entry.path().string());
        std::ranges::sort(found);
        return found;
    }

    // In one piece.
    [[nodiscard]] TestResults expected() const {
        const CloudSource source(store_);
        std::vector<Pair> pairs = job_.list.empty() ? std::vector<Pair>() : listed_pairs(job_.list, source);
        if (pairs.empty())
            for (std::size_t x = 0; x < source.names().size(); ++x)
                for (std::size_t y = x + 1; y < source.names().size(); ++y) pairs.push_back({x, y});
        const Cut cut{job_.common_size, job_.test.seed, takes_blocks(job_.test.statistic), nullptr};
        return test_many_named_pairs(source.read(source.names(), cut, {}), pairs, job_.test);
    }

    void expect_same_results() const {
        const TestResults merged = MergedPairs(out_).results(), whole = expected();
        ASSERT_EQ(merged.size(), whole.size());
        for (std::size_t i = 0; i < whole.size(); ++i) expect_same(merged.result(i), whole.result(i));
        for (std::size_t i = 0; i < whole.size(); ++i) expect_same(merged.p[i], whole.p[i]);
    }

    static void expect_same(double a, double b) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << a << " and " << b;
    }

    static void expect_same(const TestResult& a, const TestResult& b) {
        SCOPED_TRACE(b.x + " and " + b.y);
        for (const auto member : {&TestResult::x, &TestResult::y, &TestResult::x_source, &TestResult::y_source,
                                  &TestResult::device, &TestResult::undefined})
            EXPECT_EQ(a.*member, b.*member);
        for (const auto member :
             {&TestResult::n, &TestResult::m, &TestResult::d, &TestResult::blocks_x, &TestResult::blocks_y,
              &TestResult::exceedances, &TestResult::permutations, &TestResult::seed})
            EXPECT_EQ(a.*member, b.*member);
        for (const auto member :
             {&TestResult::r_x, &TestResult::r_y, &TestResult::v_x, &TestResult::v_y, &TestResult::T,
              &TestResult::effect, &TestResult::ratio, &TestResult::standard_error, &TestResult::ci_low,
              &TestResult::ci_high, &TestResult::degrees_of_freedom, &TestResult::p, &TestResult::smallest_p})
            expect_same(a.*member, b.*member);
        EXPECT_EQ(a.t, b.t);
        EXPECT_EQ(a.exact, b.exact);
        EXPECT_EQ(a.stopped_early, b.stopped_early);
        EXPECT_EQ(a.statistic, b.statistic);
        ASSERT_EQ(a.tail.has_value(), b.tail.has_value());
        if (!a.tail) return;
        expect_same(a.tail->p, b.tail->p);
        expect_same(a.tail->shape, b.tail->shape);
        EXPECT_EQ(a.tail->exceedances, b.tail->exceedances);
    }

    TemporaryFolder folder_;
    std::string store_ = folder_.path() + "/store", out_ = folder_.path() + "/parts";
    PairJob job_;
};

TEST_F(PairParts, GiveTheResultsOfOneCallInAnyOrderAndNumber) {
    for (const std::uint64_t parts : {1, 2, 3, 8, 64, 700}) {
        run_all(parts);
        expect_same_results();
        fs::remove_all(out_);
    }
}

TEST_F(PairParts, GiveThemWithEveryOption) {
    const std::vector<std::function<void(PairJob&)>> changes = {
        [](PairJob& job) { job.test.adaptive = 4; },
        [](PairJob& job) { job.test.tail_estimate = true; },
        [](PairJob& job) { job.common_size = 5; },
        [](PairJob& job) { job.test.statistic = Statistic::robust; },
        [](PairJob& job) { job.test.statistic = Statistic::plain; },
        [](PairJob& job) { job.test.alternative = Alternative::greater; },
        [](PairJob& job) { job.test.align = Alignment::none; },
        [](PairJob& job) { job.test.permutations = 1'000'000; },  // enumerates
        [](PairJob& job) { job.test.execution.device = "reference"; },
    };
    const PairJob plain = job_;
    for (const auto& change : changes) {
        job_ = plain;
        change(job_);
        run_all(3);
        expect_same_results();
        fs::remove_all(out_);
    }
}

TEST_F(PairParts, OfAListKeepItsOrder) {
    const TemporaryFile list(".tsv", "wordb\tworda\nwordc\twordd\nworda\twordb\nwordq\twordc\n");
    job_.list = list.path();
    run_all(3);
    expect_same_results();
    EXPECT_EQ(MergedPairs(out_).results().result(3).x, "wordq");
    write_file(list.path(), "wordb\tworda\nwordb\tnone\n");
    EXPECT_NE(error_of([&] { run({1, 3}); }).find(list.path() + ":2: "), std::string::npos);
}

TEST_F(PairParts, ContinueWithTheTilesTheyLack) {
    EXPECT_EQ(test_pairs_in_part(job_, {1, 2}, out_).found, 0U);
    const std::vector<std::string> made = tiles();
    const std::string kept = made[0], lost = made[1], damaged = made[2];
    const auto time = fs::last_write_time(kept);
    fs::remove(lost);
    write_file(damaged, content_of(damaged).substr(0, 200));
    const PairPartSummary again = test_pairs_in_part(job_, {1, 2}, out_);
    EXPECT_EQ(again.found, again.tiles - 2);
    EXPECT_EQ(fs::last_write_time(kept), time);
    run({2, 2});
    expect_same_results();
}

TEST_F(PairParts, WrittenTwiceHaveTheSameBytes) {
    run_all(3);
    std::vector<std::string> before;
    for (const std::string& tile : tiles()) before.push_back(content_of(tile));
    fs::remove_all(out_);
    run_all(3);
    std::vector<std::string> after;
    for (const std::string& tile : tiles()) after.push_back(content_of(tile));
    EXPECT_EQ(before, after);
}

TEST_F(PairParts, RunTwiceAtOnceAgree) {
    std::vector<std::thread> runs;
    for (std::uint64_t i = 0; i < 4; ++i) runs.emplace_back([this, i] { run({1 + i % 2, 2}); });
    for (std::thread& each : runs) each.join();
    expect_same_results();
}

TEST_F(PairParts, ThatAreMissingAreNamed) {
    EXPECT_FALSE(has_pair_parts(out_));
    run({1, 3});
    EXPECT_TRUE(has_pair_parts(out_));
    EXPECT_NE(error_of([&] { (void)MergedPairs(out_); }).find("part 2 of 3 is not complete"), std::string::npos);
    run({3, 3});
    run({2, 3});
    const std::string tile = tiles().back();
    fs::remove(tile);
    EXPECT_NE(error_of([&] { (void)MergedPairs(out_); }).find("part 3 of 3 is not complete: 1 of its"),
              std::string::npos);
}

TEST_F(PairParts, ThatAreDamagedAreNamed) {
    run_all(3);
    const std::string tile = tiles()[1], content = content_of(tile);
    std::mt19937 random(1);
    for (int i = 0; i < 60; ++i) {
        std::string changed = content;
        if (i % 3 == 0)
            changed.resize(random() % content.size());
        else
            changed[random() % content.size()] ^= static_cast<char>(1U << random() % 8);
        write_file(tile, changed);
        const std::string message = error_of([&] { (void)MergedPairs(out_); });
        EXPECT_NE(message.find(tile + ": is damaged; run part 1 of 3 again"), std::string::npos) << message;
    }
}

TEST_F(PairParts, OfAnotherJobAreRefused) {
    run_all(2);
    const std::vector<std::pair<std::string, std::function<void(PairJob&)>>> changes = {
        {"permutations is 150, not 151", [](PairJob& job) { job.test.permutations = 151; }},
        {"seed is 3, not 4", [](PairJob& job) { job.test.seed = 4; }},
        {"adaptive is 0, not 7", [](PairJob& job) { job.test.adaptive = 7; }},
        {"adjust is bh, not holm", [](PairJob& job) { job.adjustment = Adjustment::holm; }},
        {"common size is 0, not 5", [](PairJob& job) { job.common_size = 5; }},
        {"equivalence is none, not 1.1", [](PairJob& job) { job.equivalence = 1.1; }},
    };
    const PairJob plain = job_;
    for (const auto& [difference, change] : changes) {
        job_ = plain;
        change(job_);
        const std::string message = error_of([&] { run({1, 2}); });
        EXPECT_NE(message.find(difference), std::string::npos) << message;
    }
    job_ = plain;
    EXPECT_NE(error_of([&] { run({1, 3}); }).find("parts is 2, not 3"), std::string::npos);
    store::write_small_store(folder_.path() + "/other");
    job_.clouds = folder_.path() + "/other";
    EXPECT_NE(error_of([&] { run({1, 2}); }).find("another job, whose clouds is"), std::string::npos);
}

TEST_F(PairParts, OfDifferentJobsAreNotMixed) {
    run_all(2);
    const std::string tile = tiles()[0], name = fs::relative(tile, out_).string();
    const std::string other = folder_.path() + "/other";
    PairJob changed = job_;
    changed.test.seed = 9;
    (void)test_pairs_in_part(changed, {1, 2}, other);
    write_file(tile, content_of(other + "/" + name));
    EXPECT_NE(error_of([&] { (void)MergedPairs(out_); }).find(tile + ": belongs to another job"), std::string::npos);
    write_file(tile, content_of(tiles()[1]));
    EXPECT_NE(error_of([&] { (void)MergedPairs(out_); }).find("under another name; run part 1 of 2 again"),
              std::string::npos);
    run({1, 2});  // which repairs it
    expect_same_results();
    fs::create_directory(out_ + "/part-1-of-5");
    EXPECT_NE(error_of([&] { (void)MergedPairs(out_); }).find("part-1-of-5: is of another job"), std::string::npos);
}

TEST_F(PairParts, RefuseMaxTWithItsReason) {
    job_.adjustment = Adjustment::max_t;
    EXPECT_NE(error_of([&] { run({1, 2}); }).find("cannot be tested in parts"), std::string::npos);
    EXPECT_FALSE(fs::exists(out_));
}

TEST_F(PairParts, RefuseNumbersOutsideTheJob) {
    for (const Part& part : {Part{0, 2}, Part{3, 2}, Part{1, 0}, Part{1, 100'001}})
        EXPECT_NE(error_of([&] { run(part); }).find("expected one of at most 100000 parts"), std::string::npos);
}

}  // namespace
}  // namespace wordbreadth
