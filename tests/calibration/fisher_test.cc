#include "calibration/fisher.h"

#include <gtest/gtest.h>

namespace wordbreadth::calibration {
namespace {

// References: scipy.stats.fisher_exact.
TEST(Fisher, AgreesWithReferenceValues) {
    EXPECT_NEAR(fisher_p({8, 10}, {1, 6}), 0.034965034965034975, 1e-10);
    EXPECT_NEAR(fisher_p({20, 400}, {16, 400}), 0.6094906560608538, 1e-9);
    EXPECT_NEAR(fisher_p({30, 100}, {20, 400}), 4.007919143338306e-11, 1e-14);
}

TEST(Fisher, IsSymmetric) {
    EXPECT_NEAR(fisher_p({3, 40}, {22, 400}), fisher_p({22, 400}, {3, 40}), 1e-12);
}

TEST(Fisher, EqualRatesAgree) {
    EXPECT_NEAR(fisher_p({20, 400}, {20, 400}), 1, 1e-9);
    EXPECT_NEAR(fisher_p({0, 40}, {0, 400}), 1, 1e-12);
    EXPECT_NEAR(fisher_p({40, 40}, {400, 400}), 1, 1e-9);
}

}  // namespace
}  // namespace wordbreadth::calibration
