#include "permutation/step_down.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/naive.h"

namespace wordbreadth::permutation {
namespace {

// Adds the statistics (test, draw), whose tests are ranked, from the last to the first.
void add_all(StepDown& steps, const std::vector<std::vector<double>>& statistics) {
    for (std::uint32_t rank = static_cast<std::uint32_t>(steps.tests()); rank-- > 0;) {
        std::uint64_t draws = 0;
        for (std::size_t s = 0; s < statistics[rank].size(); ++s) {
            std::uint32_t& attained = steps.attained()[s];
            attained = steps.lowered(attained, rank, 1, statistics[rank][s]);
            draws += attained <= rank;
        }
        steps.count(rank, draws);
    }
}

TEST(StepDown, ByHand) {
    StepDown steps(std::vector{3.0, 2.0, 1.0}, Alternative::greater, 4);
    add_all(steps, {{0.0, 3.5, 0.0, 0.0}, {0.0, 0.0, 2.0, 0.0}, {3.0, 0.0, 1.5, 0.5}});
    // The first is met in draws 0 (by the third test) and 1; the second in 0 and 2; the third in 0 and 2.
    EXPECT_EQ((std::vector(steps.counts().begin(), steps.counts().end())), (std::vector<std::uint64_t>{2, 2, 2}));
    EXPECT_EQ(steps.p(false), (std::vector{0.6, 0.6, 0.6}));
    EXPECT_EQ(steps.p(true), (std::vector{0.5, 0.5, 0.5}));
}

TEST(StepDown, NoPIsBelowThatOfARankBefore) {
    StepDown steps(std::vector{3.0, 2.9}, Alternative::greater, 3);
    add_all(steps, {{5.0, 5.0, 0.0}, {0.0, 0.0, 2.95}});
    EXPECT_EQ((std::vector(steps.counts().begin(), steps.counts().end())), (std::vector<std::uint64_t>{2, 1}));
    EXPECT_EQ(steps.p(false), (std::vector{0.75, 0.75}));
}

TEST(StepDown, UndefinedStatisticsAttainEveryRank) {
    StepDown steps(std::vector{9.0, 1.0}, Alternative::two_sided, 2);
    add_all(steps, {{0.0, 0.0}, {std::nan(""), 0.0}});
    EXPECT_EQ(steps.p(false), (std::vector{2.0 / 3, 2.0 / 3}));
}

TEST(StepDown, EqualsTheDefinition) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (const Alternative alternative : {Alternative::greater, Alternative::less, Alternative::two_sided}) {
        std::vector<naive::Member> family;
        for (int i = 0; i < 23; ++i) {
            naive::Member& member = family.emplace_back();
            // Of few values, so that there are ties.
            member.observed = std::round(4 * normal(random)) / 2;
            for (int s = 0; s < 200; ++s) member.draws.push_back(std::round(3 * normal(random)) / 2);
        }
        std::ranges::stable_sort(family, std::ranges::greater{},
                                 [&](const naive::Member& member) { return towards(alternative, member.observed); });
        std::vector<double> observed;
        std::vector<std::vector<double>> draws;
        for (const naive::Member& member : family) {
            observed.push_back(member.observed);
            draws.push_back(member.draws);
        }
        StepDown steps(observed, alternative, 200);
        add_all(steps, draws);
        EXPECT_EQ(steps.p(false), naive::max_t(family, alternative));
    }
}

}  // namespace
}  // namespace wordbreadth::permutation
