#include "wordbreadth/by_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stop_token>

#include "calibration/mixed_clouds.h"
#include "study/random_clouds.h"
#include "support/errors.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

using calibration::MixedCloud;
using calibration::Shape;

Cloud some_cloud(std::size_t n) {
    return testing::random_cloud("some", {.n = n, .d = 30}, 5);
}

std::vector<std::size_t> sizes_of(const BreadthBySize& found) {
    std::vector<std::size_t> sizes;
    for (const BreadthAtSize& size : found.sizes) sizes.push_back(size.n);
    return sizes;
}

TEST(BySize, EndsWithTheWholeCloud) {
    const Cloud cloud = some_cloud(137);
    const BreadthBySize found = by_size(cloud);
    EXPECT_EQ(sizes_of(found), (std::vector<std::size_t>{5, 10, 20, 50, 100, 137}));
    const Breadth all = breadth(cloud);
    const BreadthAtSize& last = found.sizes.back();
    EXPECT_EQ(last.draws, 1U);
    EXPECT_DOUBLE_EQ(last.breadth, all.breadth);
    EXPECT_DOUBLE_EQ(last.v, all.v);
    EXPECT_NEAR(std::log(last.high / last.low), 2 * 1.9776 * all.log_v_standard_error, 1e-4);  // t of 136 degrees
    EXPECT_NEAR(last.half_width, std::sqrt(last.high / last.low) - 1, 1e-12);
    EXPECT_EQ(sizes_of(by_size(some_cloud(4))), std::vector<std::size_t>{4});
    EXPECT_EQ(sizes_of(by_size(some_cloud(5))), std::vector<std::size_t>{5});
}

TEST(BySize, HasABreadthThatDoesNotDependOnTheNumberOfRows) {
    const BreadthBySize found = by_size(some_cloud(400));
    for (std::size_t i = 2; i < found.sizes.size(); ++i)  // 20 rows and more
        EXPECT_NEAR(found.sizes[i].breadth / found.all.breadth, 1, 0.04) << found.sizes[i].n;
    EXPECT_LT(found.sizes[2].v / found.all.v, 0.97);  // which the paper's does
    EXPECT_TRUE(std::ranges::is_sorted(found.sizes, std::ranges::greater{}, &BreadthAtSize::half_width));
}

TEST(BySize, SaysHowManyRowsAreEnough) {
    const BreadthBySize found = by_size(some_cloud(400));
    ASSERT_EQ(found.enough.size(), 2U);
    for (const EnoughRows& enough : found.enough) {
        const auto next = std::ranges::find_if(
            found.sizes, [&](const BreadthAtSize& size) { return size.half_width <= enough.half_width; });
        EXPECT_EQ(enough.extrapolated, next == found.sizes.end());
        if (next == found.sizes.end()) {
            EXPECT_GT(enough.n, 400);
        } else {
            EXPECT_LE(enough.n, static_cast<double>(next->n));
            EXPECT_GT(enough.n, static_cast<double>(std::prev(next)->n));
        }
    }
    EXPECT_LT(found.enough[0].n, found.enough[1].n);
}

TEST(BySize, DoesNotDependOnThreads) {
    const Cloud cloud = some_cloud(60);
    BySizeOptions one, many;
    one.execution.threads = 1;
    many.execution.threads = 4;
    const BreadthBySize first = by_size(cloud, one), again = by_size(cloud, many);
    for (std::size_t i = 0; i < first.sizes.size(); ++i) {
        EXPECT_EQ(first.sizes[i].breadth, again.sizes[i].breadth);
        EXPECT_EQ(first.sizes[i].low, again.sizes[i].low);
    }
    EXPECT_EQ(first.p_in_order, again.p_in_order);
}

TEST(BySize, RefusesFewRowsAndOptionsOutOfRange) {
    EXPECT_EQ(error_of([] { (void)by_size(some_cloud(3)); }), "some has 3 rows; breadth by size takes at least 4");
    BySizeOptions options;
    options.draws = 0;
    EXPECT_EQ(error_of([&] { (void)by_size(some_cloud(9), options); }),
              "the number of draws is 0; it has to be 1 to 100000");
    options = {};
    options.confidence = 1;
    EXPECT_THROW((void)by_size(some_cloud(9), options), InputError);
}

TEST(BySize, ReportsProgressAndStops) {
    BySizeOptions options;
    std::vector<double> seen;
    options.execution.progress = [&](double done) { seen.push_back(done); };
    (void)by_size(some_cloud(30), options);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_DOUBLE_EQ(seen.back(), 1);
    std::stop_source stop;
    stop.request_stop();
    options.execution.stop = stop.get_token();
    EXPECT_THROW((void)by_size(some_cloud(30), options), Cancelled);
}

// Rows of a document stand together and resemble each other. Where the documents are known nothing is left of that.
TEST(BySize, FindsRowsThatDependOnTheirNeighbours) {
    const MixedCloud documents{
        "documents", 100, {{{30, 1.0}}, 0}, 0.7, {1}, 0, {std::vector<std::size_t>(25, 4), 0.5, false}};
    Cloud cloud = calibration::clouds_of(documents, 1).front();
    EXPECT_GT(by_size(cloud).p_in_order, 0.01);
    const Cloud unknown("unknown", {cloud.unit_rows().begin(), cloud.unit_rows().end()}, cloud.dimension());
    const BreadthBySize found = by_size(unknown);
    EXPECT_LE(found.p_in_order, 0.01);
    EXPECT_LT(found.in_order, found.all.breadth);
    EXPECT_GT(by_size(some_cloud(100)).p_in_order, 0.01);
}

// Of 400 clouds, how many intervals of each size cover the breadth that is known. tests/calibration/by_size.cc has
// more.
void expect_coverage(const MixedCloud& mixed) {
    constexpr std::size_t clouds = 400;
    const double r = mixed.r;
    BySizeOptions options;
    options.draws = 1;
    std::vector<double> covered, defined;
    std::vector<std::size_t> sizes;
    for (const Cloud& cloud : calibration::clouds_of(mixed, clouds)) {
        const auto d = static_cast<double>(cloud.dimension());
        const double truth = (1 - r * r) / (r * (d - r * r));
        const BreadthBySize found = by_size(cloud, options);
        sizes = sizes_of(found);
        covered.resize(sizes.size());
        defined.resize(sizes.size());
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            defined[i] += found.sizes[i].defined;
            covered[i] += found.sizes[i].low <= truth && truth <= found.sizes[i].high ? 1 : 0;
        }
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        EXPECT_GT(defined[i], 0.9 * clouds) << mixed.name << " " << sizes[i];
        EXPECT_NEAR(covered[i] / defined[i], 0.95, 0.03) << mixed.name << " " << sizes[i];
    }
}

TEST(BySize, IntervalsCoverTheTrueBreadthAtEverySize) {
    expect_coverage({"stretched", 60, {{{4, 0.3}, {40, 0.7}}, 0}, 0.8, {1}});
    expect_coverage({"documents", 60, {{{4, 0.3}, {40, 0.7}}, 0}, 0.8, {1}, 0, {std::vector<std::size_t>(20, 3), 0.3}});
}

}  // namespace
}  // namespace wordbreadth
