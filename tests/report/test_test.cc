#include "report/results.h"

#include <gtest/gtest.h>

#include "report/result.h"
#include "support/text.h"

namespace wordbreadth::report {
namespace {

std::string headline(const TestResult& result, double confidence = 0.95) {
    const std::string text = verdict(result, confidence, {});
    return text.substr(0, text.find('\n'));
}

TEST(Verdict, IsPlainLanguage) {
    EXPECT_EQ(verdict(example(), 0.95, {}),
              "bank is broader than river\n"
              "v 0.00312 against 0.00248; unbiased ratio 1.26 (95% interval 1.10 to 1.44)\n"
              "p = 0.0004 (7 of 20,000 permutations as extreme)\n"
              "effect 0.230 (standard error 0.069), T = 0.230; n = 100, m = 1,200, d = 384\n"
              "two-sided plain test, householder alignment, seed 0; cpu (avx512), 0.12 s\n");
}

TEST(Verdict, SaysNarrowerWhenXIs) {
    TestResult result = example();
    result.T = -result.T;
    EXPECT_EQ(headline(result), "bank is narrower than river");
}

TEST(Verdict, FollowsTheRobustStatisticWhereThatWasTested) {
    TestResult result = example();
    result.t = -3;
    EXPECT_EQ(headline(result), "bank is narrower than river");
}

TEST(Verdict, ClaimsNothingBeyondTheLevel) {
    TestResult result = example();
    result.p = 0.06;
    EXPECT_EQ(headline(result), "No clear difference in breadth between bank and river at the 5% level");
    EXPECT_EQ(headline(result, 0.9), "bank is broader than river");
    result.alternative = Alternative::less;
    EXPECT_EQ(headline(result), "Not clear that bank is narrower than river at the 5% level");
}

TEST(Verdict, TakesAPEqualToTheLevelAsWithinIt) {
    TestResult result = example();
    result.p = 0.1;
    EXPECT_EQ(headline(result, 0.9), "bank is broader than river");
}

TEST(Verdict, SaysWhetherTheCloudsAreEquivalent) {
    TestResult result = example();
    const auto said = [&](BreadthAnswer answer, double ratio) {
        const std::string text = verdict(result, 0.95, {}, Equivalence{ratio, 0.012, -0.02, 0.05, answer});
        EXPECT_NE(text.find("equivalence within"), std::string::npos) << text;
        return text.substr(0, text.find('\n'));
    };
    EXPECT_EQ(said(BreadthAnswer::broader, 1.1), "bank is broader than river");
    EXPECT_EQ(said(BreadthAnswer::equivalent, 1.1), "bank is broader than river, but by less than 10%: equivalent");
    result.p = 0.4;
    EXPECT_EQ(said(BreadthAnswer::equivalent, 1.1), "bank and river are equivalent within 10%");
    EXPECT_EQ(said(BreadthAnswer::equivalent, 3), "bank and river are equivalent within a factor of 3");
    EXPECT_EQ(said(BreadthAnswer::undecided, 1.25),
              "Undecided: neither different breadths of bank and river nor equivalence within 25% can be shown at the "
              "5% level");
    const std::string text = verdict(result, 0.95, {}, Equivalence{1.1, 0.012, -0.02, 0.05, BreadthAnswer::equivalent});
    EXPECT_NE(text.find("equivalence within 10%: p = 0.012 (two one-sided tests; 90% interval of the ratio 0.980 to "
                        "1.05)\n"),
              std::string::npos)
        << text;
}

TEST(Verdict, LeavesOutAnIntervalThatIsUndefined) {
    TestResult result = example();
    result.ci_low = result.ci_high = result.standard_error = std::nan("");
    const std::string text = verdict(result, 0.95, {});
    EXPECT_EQ(text.find("interval"), std::string::npos) << text;
    EXPECT_EQ(text.find("standard error"), std::string::npos) << text;
}

TEST(Verdict, KeepsToTheWidthOfTheTerminal) {
    TestResult result = example();
    result.tail = TailEstimate{1e-7, -0.1, 0.02, 250, 0.4};
    const std::string text = verdict(result, 0.95, {.width = 50});
    for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
        EXPECT_LE(end - start, 50U) << text.substr(start, end - start);
}

TEST(Verdict, EscapesNamesThatATerminalWouldObey) {
    TestResult result = example();
    result.x = "\x1b[2Jbank\n";
    EXPECT_EQ(headline(result), "\\x1b[2Jbank\\n is broader than river");
}

TEST(PSentence, SaysHowPWasObtained) {
    TestResult result = example();
    result.exceedances = 0;
    EXPECT_EQ(p_sentence(result), "p = 0.0004 (none of 20,000 permutations as extreme)");
    result.exceedances = 2;
    result.permutations = 70;
    result.p = 2.0 / 70;
    result.exact = true;
    EXPECT_EQ(p_sentence(result), "p = 0.0286 (exact: 2 of all 70 permutations as extreme)");
    result.exact = false;
    result.stopped_early = true;
    EXPECT_EQ(p_sentence(result), "p = 0.0286 (stopped early: 2 of the first 70 permutations as extreme)");
}

TEST(PSentence, SaysThatTheLevelIsOutOfReach) {
    TestResult result = example();
    result.exceedances = 0;
    result.permutations = 99;
    result.p = result.smallest_p = 0.01;
    EXPECT_EQ(p_sentence(result, 1 - 0.99), "p = 0.01 (none of 99 permutations as extreme)");
    EXPECT_EQ(p_sentence(result, 0.001),
              "p = 0.01 (none of 99 permutations as extreme; with so few permutations p cannot be below 0.01)");
    result.exact = true;
    EXPECT_TRUE(contains(p_sentence(result, 0.001), "; with so few rows p cannot be below 0.01"));
}

}  // namespace
}  // namespace wordbreadth::report
