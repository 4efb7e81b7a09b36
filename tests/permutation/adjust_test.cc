#include "wordbreadth/adjust.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array every_method{Adjustment::none, Adjustment::holm, Adjustment::benjamini_hochberg,
                                  Adjustment::benjamini_yekutieli};

// The fifteen p-values of Benjamini and Hochberg (1995, section 3.2), out of order on purpose.
const std::vector<double> published{0.0201, 0.0001, 0.0004, 1.0000, 0.0019, 0.0095, 0.0278, 0.0298,
                                    0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590};

std::vector<double> random_p(std::size_t count) {
    std::mt19937_64 generator(3);
    std::vector<double> p(count);
    for (double& value : p) value = std::pow(static_cast<double>(generator() >> 11) * 0x1p-53, 3);
    return p;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << "at " << i;
}

TEST(Adjust, HolmByHand) {
    expect_near(adjust(std::vector{0.01, 0.04, 0.03}, Adjustment::holm), {0.03, 0.06, 0.06});
    expect_near(adjust(std::vector{0.9, 0.5}, Adjustment::holm), {1, 1});
}

TEST(Adjust, BenjaminiHochbergByHand) {
    // 3/1 * .01, 3/2 * .03, 3/3 * .04, the middle one brought down to the last.
    expect_near(adjust(std::vector{0.01, 0.04, 0.03}, Adjustment::benjamini_hochberg), {0.03, 0.04, 0.04});
}

TEST(Adjust, BenjaminiYekutieliByHand) {
    // As above, times 1 + 1/2 + 1/3 = 11/6.
    expect_near(adjust(std::vector{0.01, 0.04, 0.03}, Adjustment::benjamini_yekutieli),
                {0.03 * 11 / 6, 0.04 * 11 / 6, 0.04 * 11 / 6});
}

TEST(Adjust, HolmOfThePublishedExample) {
    expect_near(adjust(published, Adjustment::holm),
                {0.2211, 0.0015, 0.0056, 1, 0.0247, 0.114, 0.278, 0.278, 0.278, 0.3213, 1, 1, 1, 1, 1});
}

// Reference: scipy.stats.false_discovery_control.
TEST(Adjust, BenjaminiHochbergOfThePublishedExample) {
    expect_near(adjust(published, Adjustment::benjamini_hochberg),
                {0.0603, 0.0015, 0.003, 1, 0.0095, 0.035625, 0.06385714285714286, 0.06385714285714286, 0.0645, 0.0765,
                 0.486, 0.5811818181818181, 0.714875, 0.7532307692307693, 0.8132142857142857});
}

TEST(Adjust, BenjaminiYekutieliOfThePublishedExample) {
    expect_near(
        adjust(published, Adjustment::benjamini_yekutieli),
        {0.20008920829170831, 0.004977343489843491, 0.009954686979686982, 1, 0.03152317543567544, 0.11821190788378289,
         0.21189262285333718, 0.21189262285333718, 0.2140257700632701, 0.25384451798201807, 1, 1, 1, 1, 1});
}

TEST(Adjust, BenjaminiHochbergRejectsFourOfThePublishedExampleAsItsAuthorsDo) {
    const auto adjusted = adjust(published, Adjustment::benjamini_hochberg);
    EXPECT_EQ(std::count_if(adjusted.begin(), adjusted.end(), [](double p) { return p <= 0.05; }), 4);
}

TEST(Adjust, NoneChangesNothing) {
    EXPECT_EQ(adjust(published, Adjustment::none), published);
}

TEST(Adjust, NeverLowersAPValueNorLeavesTheUnitInterval) {
    const auto p = random_p(257);
    for (const Adjustment method : every_method) {
        const auto adjusted = adjust(p, method);
        for (std::size_t i = 0; i < p.size(); ++i) {
            EXPECT_GE(adjusted[i], p[i]);
            EXPECT_LE(adjusted[i], 1);
        }
    }
}

TEST(Adjust, KeepsTheRanking) {
    const auto p = random_p(101);
    for (const Adjustment method : every_method) {
        const auto adjusted = adjust(p, method);
        for (std::size_t i = 0; i < p.size(); ++i)
            for (std::size_t j = 0; j < p.size(); ++j)
                if (p[i] < p[j]) {
                    EXPECT_LE(adjusted[i], adjusted[j]);
                }
    }
}

TEST(Adjust, DependsOnTheValuesNotOnTheirPlaces) {
    const auto p = random_p(50);
    std::vector<std::size_t> places(p.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::shuffle(places.begin(), places.end(), std::mt19937_64(9));
    std::vector<double> shuffled;
    for (const std::size_t place : places) shuffled.push_back(p[place]);
    for (const Adjustment method : every_method) {
        const auto adjusted = adjust(p, method);
        const auto adjusted_shuffled = adjust(shuffled, method);
        for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(adjusted_shuffled[i], adjusted[places[i]]);
    }
}

TEST(Adjust, TiesStayTies) {
    const std::vector p{0.02, 0.01, 0.02, 0.5, 0.02};
    for (const Adjustment method : every_method) {
        const auto adjusted = adjust(p, method);
        EXPECT_EQ(adjusted[0], adjusted[2]);
        EXPECT_EQ(adjusted[0], adjusted[4]);
    }
    // The smallest rank of a tie decides for Holm (4 x 0.02), the largest for Benjamini-Hochberg (5/4 x 0.02).
    EXPECT_NEAR(adjust(p, Adjustment::holm)[0], 0.08, 1e-15);
    EXPECT_NEAR(adjust(p, Adjustment::benjamini_hochberg)[0], 0.025, 1e-15);
}

// Bit for bit, as permutation tests give them: few different values, each many times.
TEST(Adjust, OfManyTiesIsWhatGoingThroughAllTestsInTheirOrderGives) {
    std::vector<double> p = random_p(3000);
    for (double& value : p) value = (1 + std::floor(200 * value)) / 201;
    std::vector<double> sorted = p;
    std::ranges::sort(sorted);
    const auto K = static_cast<double>(p.size());
    std::vector<double> down(p.size()), up(p.size());
    double floor = 0, ceiling = 1;
    for (std::size_t k = 0; k < p.size(); ++k)
        down[k] = floor = std::max(floor, std::min(1.0, sorted[k] * (K - static_cast<double>(k))));
    for (std::size_t k = p.size(); k > 0; --k)
        up[k - 1] = ceiling = std::min(ceiling, sorted[k - 1] * K / static_cast<double>(k));
    const auto holm = adjust(p, Adjustment::holm), bh = adjust(p, Adjustment::benjamini_hochberg);
    for (std::size_t i = 0; i < p.size(); ++i) {
        const auto place = static_cast<std::size_t>(std::ranges::lower_bound(sorted, p[i]) - sorted.begin());
        EXPECT_EQ(holm[i], down[place]);
        EXPECT_EQ(bh[i], up[place]);
    }
}

TEST(Adjust, NanStaysAndIsNoTest) {
    for (const Adjustment method : every_method) {
        const auto adjusted = adjust(std::vector{nan, 0.01, 0.04, nan, 0.03}, method);
        const auto without = adjust(std::vector{0.01, 0.04, 0.03}, method);
        EXPECT_TRUE(std::isnan(adjusted[0]) && std::isnan(adjusted[3]));
        EXPECT_EQ((std::vector{adjusted[1], adjusted[2], adjusted[4]}), without);
    }
}

TEST(Adjust, ZeroStaysZeroAndOneStaysOne) {
    for (const Adjustment method : every_method)
        EXPECT_EQ(adjust(std::vector{1.0, 0.0, 1.0}, method), (std::vector{1.0, 0.0, 1.0}));
}

TEST(Adjust, OneTestNeedsNoAdjustment) {
    for (const Adjustment method : every_method) EXPECT_EQ(adjust(std::vector{0.037}, method), std::vector{0.037});
}

TEST(Adjust, NothingAndOnlyNan) {
    for (const Adjustment method : every_method) {
        EXPECT_TRUE(adjust({}, method).empty());
        EXPECT_TRUE(std::isnan(adjust(std::vector{nan}, method).at(0)));
    }
}

TEST(Adjust, RefusesWhatIsNoProbability) {
    for (const double bad : {-0.1, 1.0001, std::numeric_limits<double>::infinity()})
        for (const Adjustment method : every_method)
            EXPECT_THROW((void)adjust(std::vector{0.5, bad}, method), InputError);
}

}  // namespace
}  // namespace wordbreadth
