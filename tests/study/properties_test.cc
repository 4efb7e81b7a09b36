// What must hold for the mathematics whatever the data: turning, scaling and swapping the clouds.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "geometry/unit_rows.h"
#include "geometry/vector_math.h"
#include "study/random_clouds.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

using testing::random_cloud;
using testing::random_rotation;
using testing::random_values;
using testing::rotated;

const testing::Shape shape_x{.n = 19, .d = 23, .noise = 1.1};
const testing::Shape shape_y{.n = 31, .d = 23, .noise = 0.9, .axis = 1};

// Every alignment with every statistic.
class Property : public ::testing::TestWithParam<std::tuple<Alignment, Statistic>> {
  protected:
    [[nodiscard]] static TestOptions options(Alternative alternative = Alternative::two_sided) {
        TestOptions options;
        std::tie(options.align, options.statistic) = GetParam();
        options.alternative = alternative;
        options.permutations = 3001;
        options.seed = 42;
        return options;
    }
};

INSTANTIATE_TEST_SUITE_P(Test, Property,
                         ::testing::Combine(::testing::Values(Alignment::none, Alignment::householder),
                                            ::testing::Values(Statistic::plain, Statistic::robust)),
                         [](const auto& tested) {
                             return std::string(std::get<0>(tested.param) == Alignment::none ? "None" : "Householder") +
                                    (std::get<1>(tested.param) == Statistic::plain ? "Plain" : "Robust");
                         });

void expect_same_test(const TestResult& found, const TestResult& expected, double tolerance) {
    EXPECT_NEAR(found.T, expected.T, tolerance);
    EXPECT_NEAR(found.r_x, expected.r_x, tolerance);
    EXPECT_NEAR(found.v_y, expected.v_y, tolerance);
    EXPECT_NEAR(found.ci_low, expected.ci_low, 10 * tolerance);
    ASSERT_EQ(found.t.has_value(), expected.t.has_value());
    if (found.t) {
        EXPECT_NEAR(*found.t, *expected.t, 100 * tolerance);
    }
    EXPECT_EQ(found.exceedances, expected.exceedances);
    EXPECT_EQ(found.p, expected.p);
}

TEST_P(Property, ACommonRotationChangesNothing) {
    const auto x = random_values(shape_x, 1);
    const auto y = random_values(shape_y, 2);
    const TestResult before = test({"x", x, 23}, {"y", y, 23}, options());
    for (std::uint64_t seed = 3; seed < 6; ++seed) {
        const auto rotation = random_rotation(23, seed);
        const TestResult after =
            test({"x", rotated(x, rotation, 23), 23}, {"y", rotated(y, rotation, 23), 23}, options());
        expect_same_test(after, before, 1e-12);
    }
}

TEST_P(Property, TheLengthsOfTheRowsChangeNothing) {
    auto x = random_values(shape_x, 1);
    auto y = random_values(shape_y, 2);
    const TestResult before = test({"x", x, 23}, {"y", y, 23}, options());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 0.1 + static_cast<double>(i / 23);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] *= 1e8 / (3.7 + static_cast<double>(i / 23));
    expect_same_test(test({"x", x, 23}, {"y", y, 23}, options()), before, 1e-12);
}

TEST_P(Property, LengthsThatArePowersOfTwoDoNotChangeABit) {
    auto x = random_values(shape_x, 1);
    const Cloud y = random_cloud("y", shape_y, 2);
    const TestResult before = test({"x", x, 23}, y, options());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::ldexp(x[i], static_cast<int>(i / 23) * 40 - 400);
    expect_same_test(test({"x", x, 23}, y, options()), before, 0);
}

TEST_P(Property, SwappingTheCloudsMirrorsTheEffect) {
    const Cloud x = random_cloud("x", shape_x, 1);
    const Cloud y = random_cloud("y", shape_y, 2);
    const TestResult forward = test(x, y, options());
    const TestResult backward = test(y, x, options());
    EXPECT_EQ(backward.T, -forward.T);
    EXPECT_EQ(backward.v_x, forward.v_y);
    EXPECT_EQ(backward.standard_error, forward.standard_error);
    EXPECT_NEAR(backward.ci_low, -forward.ci_high, 1e-15);
    ASSERT_EQ(backward.t.has_value(), forward.t.has_value());
    if (forward.t) {
        EXPECT_EQ(*backward.t, -*forward.t);
    }
}

TEST_P(Property, SwappingTheCloudsExchangesGreaterAndLessWhenAllSplitsAreSeen) {
    for (const auto& [n, m] : {std::pair{4, 5}, std::pair{5, 5}, std::pair{3, 8}}) {
        const Cloud x = random_cloud("x", {.n = static_cast<std::size_t>(n), .d = 5, .noise = 0.7}, 1);
        const Cloud y = random_cloud("y", {.n = static_cast<std::size_t>(m), .d = 5, .noise = 0.6, .axis = 2}, 2);
        const TestResult greater = test(x, y, options(Alternative::greater));
        const TestResult less = test(y, x, options(Alternative::less));
        ASSERT_TRUE(greater.exact && less.exact);
        EXPECT_EQ(greater.permutations, less.permutations);
        EXPECT_EQ(greater.exceedances, less.exceedances);
        EXPECT_EQ(test(x, y, options()).exceedances, test(y, x, options()).exceedances);
    }
}

TEST_P(Property, ACloudTestedAgainstItselfHasNoEffect) {
    const Cloud x = random_cloud("x", shape_x, 1);
    const TestResult result = test(x, x, options());
    EXPECT_EQ(result.T, 0);
    EXPECT_EQ(result.p, 1);
}

TEST_P(Property, AMuchBroaderCloudIsFound) {
    const Cloud broad = random_cloud("broad", {.n = 40, .d = 23, .noise = 1.6}, 1);
    const Cloud narrow = random_cloud("narrow", {.n = 40, .d = 23, .noise = 0.8, .axis = 1}, 2);
    EXPECT_GT(test(broad, narrow, options()).T, 0);
    EXPECT_LT(test(broad, narrow, options(Alternative::greater)).p, 0.01);
    EXPECT_GT(test(broad, narrow, options(Alternative::less)).p, 0.99);
}

TEST(Alignment, TurnsTheMeanDirectionOfXOntoThatOfY) {
    const Cloud x = random_cloud("x", shape_x, 1);
    const Cloud y = random_cloud("y", shape_y, 2);
    const auto rows = geometry::pooled_rows(x, y, geometry::mirror(x, y, Alignment::householder));
    std::vector<double> sum(23, 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) geometry::add(sum, {rows.data() + i * 23, 23});
    for (std::size_t k = 0; k < 23; ++k)
        EXPECT_NEAR(sum[k] / geometry::norm(sum), y.sum()[k] / geometry::norm(y.sum()), 1e-14);
}

TEST(Alignment, KeepsLengthsAndProductsWithinX) {
    const Cloud x = random_cloud("x", shape_x, 1);
    const Cloud y = random_cloud("y", shape_y, 2);
    const auto rows = geometry::pooled_rows(x, y, geometry::mirror(x, y, Alignment::householder));
    const auto row = [&](std::size_t i) { return std::span(rows).subspan(i * 23, 23); };
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            EXPECT_NEAR(geometry::dot(row(i), row(j)), geometry::dot(x.row(i), x.row(j)), 1e-14);
}

TEST(Alignment, LeavesYAlone) {
    const Cloud x = random_cloud("x", shape_x, 1);
    const Cloud y = random_cloud("y", shape_y, 2);
    const auto rows = geometry::pooled_rows(x, y, geometry::mirror(x, y, Alignment::householder));
    EXPECT_TRUE(std::equal(y.unit_rows().begin(), y.unit_rows().end(), rows.begin() + 19 * 23));
}

TEST(Alignment, OfEqualMeanDirectionsDoesNothing) {
    const Cloud x = random_cloud("x", shape_x, 1);
    EXPECT_TRUE(geometry::mirror(x, x, Alignment::householder).empty());
}

TEST(Alignment, DoesNotChangeTheEffect) {
    const Cloud x = random_cloud("x", shape_x, 1);
    const Cloud y = random_cloud("y", shape_y, 2);
    TestOptions options;
    options.permutations = 100;
    const TestResult aligned = test(x, y, options);
    options.align = Alignment::none;
    const TestResult plain = test(x, y, options);
    EXPECT_EQ(aligned.T, plain.T);
    EXPECT_EQ(aligned.v_x, plain.v_x);
    EXPECT_EQ(aligned.v_x, breadth(x).v);
}

}  // namespace
}  // namespace wordbreadth
