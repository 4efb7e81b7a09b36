#include "wordbreadth/modes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "calibration/mixed_clouds.h"
#include "geometry/symmetric.h"
#include "study/many_words.h"
#include "study/mixture.h"
#include "study/random_clouds.h"
#include "support/errors.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

using calibration::clouds_of;
using calibration::MixedCloud;
using calibration::right;
using calibration::Shape;

Cloud cloud_of(const MixedCloud& mixed) {
    return clouds_of(mixed, 1).front();
}

const Shape round_shape{{{63, 1.0}}, 0};
const MixedCloud two_modes{"two", 60, round_shape, 0.7, {0.7, 0.3}, 75};

TEST(Modes, MayBeSoTightThatTheyAreTwoPoints) {
    EXPECT_EQ(right({"tight", 60, round_shape, 0.99, {0.5, 0.5}, 60}, 5), 5U);
}

TEST(Modes, OfTwoHaveTheirRowsSharesAndBreadths) {
    const Cloud cloud = cloud_of(two_modes);
    const Modes found = modes(cloud);
    ASSERT_EQ(found.modes.size(), 2U);
    EXPECT_EQ(found.n, 60U);
    EXPECT_EQ(found.d, 64U);
    EXPECT_LE(found.p, 0.01);
    const auto in_first = [](std::size_t row) { return row < 42; };  // 70% of 60
    EXPECT_EQ(std::ranges::count_if(found.modes[0].rows, in_first), 42);
    EXPECT_EQ(found.modes[0].rows.size(), 42U);
    EXPECT_EQ(found.modes[1].rows.size(), 18U);
    EXPECT_NEAR(found.modes[0].share, 0.7, 0.01);
    EXPECT_NEAR(found.modes[0].share + found.modes[1].share, 1, 1e-12);
    for (std::size_t i = 0; i < 60; ++i)
        EXPECT_NEAR(found.responsibilities[2 * i] + found.responsibilities[2 * i + 1], 1, 1e-12);
    // R within is 0.49 and 0.49 * cos 75 between, of 42 * 18 * 2 in 60 * 59 ordered pairs.
    for (const Mode& mode : found.modes) EXPECT_NEAR(mode.mean_cosine, 0.49, 0.06);
    EXPECT_NEAR(found.mean_cosine, 0.49 - 0.49 * (1 - std::cos(5 * std::numbers::pi / 12)) * 0.427, 0.05);
    double within = 0;
    for (const Mode& mode : found.modes) within += mode.share * (1 - mode.mean_cosine);
    EXPECT_NEAR(found.between, 1 - within / (1 - found.mean_cosine), 1e-12);
    EXPECT_LT(found.modes[0].v, found.v);
    EXPECT_EQ(found.spread, found.between >= 0.25 ? Spread::several_modes : Spread::broad_modes);
}

TEST(Modes, TellTightModesFromBroadOnes) {
    EXPECT_EQ(modes(cloud_of({"tight", 60, round_shape, 0.95, {0.5, 0.5}, 60})).spread, Spread::several_modes);
    const Modes one = modes(cloud_of({"one", 60, round_shape, 0.6, {1}}));
    EXPECT_EQ(one.spread, Spread::one_mode);
    EXPECT_EQ(one.between, 0);
    EXPECT_GT(one.p, 0.01);
    EXPECT_EQ(one.modes.front().rows.size(), 60U);
    EXPECT_NEAR(one.modes.front().v, one.v, 1e-12);
}

TEST(Modes, ListTheirMostTypicalRowsFirst) {
    const Cloud cloud = cloud_of(two_modes);
    for (const Mode& mode : modes(cloud).modes) {
        std::vector<double> sum(cloud.dimension(), 0.0);
        for (const std::size_t i : mode.rows)
            for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += cloud.row(i)[c];
        const auto cosine = [&](std::size_t i) {
            return std::inner_product(sum.begin(), sum.end(), cloud.row(i).begin(), 0.0);
        };
        EXPECT_TRUE(std::ranges::is_sorted(mode.rows, std::ranges::greater{}, cosine));
    }
}

TEST(Modes, DoNotDependOnThreadsOrOtherClouds) {
    const std::vector<Cloud> clouds = clouds_of(two_modes, 3);
    ModesOptions one_thread, many_threads;
    one_thread.execution.threads = 1;
    many_threads.execution.threads = 4;
    const auto first = modes(clouds, one_thread), again = modes(clouds, many_threads);
    for (std::size_t i = 0; i < clouds.size(); ++i) {
        EXPECT_EQ(first[i].responsibilities, again[i].responsibilities);
        EXPECT_EQ(first[i].p, again[i].p);
        EXPECT_EQ(first[i].responsibilities, modes(clouds[i]).responsibilities);
    }
}

TEST(Modes, OfSingleRowsAsDocumentsAreThoseOfRows) {
    Cloud labelled = cloud_of(two_modes);
    std::vector<std::uint64_t> labels(labelled.size());
    std::iota(labels.begin(), labels.end(), 0);
    const Modes rows = modes(labelled);
    labelled.set_blocks(labels);
    const Modes documents = modes(labelled);
    EXPECT_EQ(documents.responsibilities, rows.responsibilities);
    EXPECT_EQ(documents.p, rows.p);
    EXPECT_DOUBLE_EQ(documents.v, rows.v);
    EXPECT_EQ(rows.documents, 0U);
    EXPECT_EQ(documents.documents, 60U);
    EXPECT_EQ(documents.modes[0].documents, 42U);
    EXPECT_DOUBLE_EQ(documents.modes[0].largest_document, 1.0 / 42);
}

// 18 of the 60 rows are the second mode.
TEST(Modes, NeedMoreThanOneDocument) {
    Cloud cloud = cloud_of(two_modes);
    std::vector<std::uint64_t> labels(cloud.size());
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = i < 42 ? i : 100;
    cloud.set_blocks(labels);
    EXPECT_EQ(modes(cloud).modes.size(), 1U);
    for (std::size_t i = 42; i < labels.size(); ++i) labels[i] = 100 + i % 6;
    cloud.set_blocks(labels);
    const Modes found = modes(cloud);
    ASSERT_EQ(found.modes.size(), 2U);
    EXPECT_EQ(found.modes[1].documents, 6U);
    EXPECT_NEAR(found.modes[1].largest_document, 3.0 / 18, 1e-12);
}

TEST(Modes, OfOneDocumentCountItsRows) {
    Cloud cloud = cloud_of(two_modes);
    cloud.set_blocks(std::vector<std::uint64_t>(cloud.size(), 7));
    const Modes found = modes(cloud);
    EXPECT_EQ(found.modes.size(), 2U);
    EXPECT_EQ(found.documents, 1U);
    EXPECT_DOUBLE_EQ(found.v, modes(cloud_of(two_modes)).v);
}

TEST(Modes, BreadthWithinIsThatOfTheirMeanCosine) {
    const Modes found = modes(cloud_of(two_modes));
    double within = 0;
    for (const Mode& mode : found.modes) within += mode.share * mode.mean_cosine;
    EXPECT_NEAR(found.within, (1 - within) / (std::sqrt(within) * (64 - within)), 1e-12);
    EXPECT_LT(found.within, found.v);
}

TEST(Modes, TakeCloudsOfAnySize) {
    for (const std::size_t n : {10, 11, 17, 33})
        for (const std::size_t d : {2, 3, 5, 200}) {
            const Modes found = modes(testing::random_cloud("some", {.n = n, .d = d}, n + d));
            EXPECT_EQ(found.responsibilities.size(), n * found.modes.size());
            for (const Mode& mode : found.modes) EXPECT_GE(mode.rows.size(), 4U) << n << " x " << d;
        }
}

// Beyond 400 rows the number is chosen on a sample.
TEST(Modes, OfManyRowsCoverAllOfThem) {
    const MixedCloud many{"many", 1000, {{{23, 1.0}}, 0}, 0.7, {0.6, 0.4}, 80};
    ModesOptions options;
    options.most = 2;
    options.alpha = 0.05;
    options.random_clouds = 19;
    const Modes found = modes(cloud_of(many), options);
    ASSERT_EQ(found.modes.size(), 2U);
    EXPECT_NEAR(static_cast<double>(found.modes[0].rows.size()), 600, 25);
    EXPECT_EQ(found.modes[0].rows.size() + found.modes[1].rows.size(), 1000U);
}

TEST(Modes, RefuseFewRowsAndOptionsOutOfRange) {
    const Cloud few = testing::random_cloud("few", {.n = 9, .d = 5}, 1), cloud = cloud_of(two_modes);
    EXPECT_EQ(error_of([&] { (void)modes(few); }), "few has 9 rows; modes take at least 10");
    ModesOptions options;
    options.most = 9;
    EXPECT_EQ(error_of([&] { (void)modes(cloud, options); }), "the largest number of modes is 9; it has to be 1 to 8");
    options = {};
    options.alpha = 0;
    EXPECT_THROW((void)modes(cloud, options), InputError);
    options = {};
    options.random_clouds = 3;
    EXPECT_THROW((void)modes(cloud, options), InputError);
}

TEST(Modes, ReportProgressAndStop) {
    const std::vector<Cloud> clouds = clouds_of({"one", 30, round_shape, 0.6, {1}}, 3);
    ModesOptions options;
    std::vector<double> seen;
    options.execution.progress = [&](double done) { seen.push_back(done); };
    (void)modes(clouds, options);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_DOUBLE_EQ(seen.back(), 1);
    std::stop_source stop;
    stop.request_stop();
    options.execution.stop = stop.get_token();
    EXPECT_THROW((void)modes(clouds, options), Cancelled);
}

TEST(Modes, OfAStoreSayWhyAWordHasNone) {
    const TemporaryFolder folder;
    write_many_words(folder.path(), 2, 12);
    const Store store(folder.path());
    const std::vector<std::size_t> words{1, 0};
    const auto found = modes(store, words);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].word, "w001");
    ASSERT_TRUE(found[0].modes);
    EXPECT_EQ(found[0].modes->responsibilities, modes(store.cloud(1)).responsibilities);
    const TemporaryFolder small;
    write_many_words(small.path(), 1, 9);
    const std::vector<std::size_t> first{0};
    const auto none = modes(Store(small.path()), first);
    EXPECT_FALSE(none[0].modes);
    EXPECT_EQ(none[0].reason, "has 9 rows; modes take at least 10");
}

TEST(Modes, AreExplainedByTypicalOccurrences) {
    const TemporaryFolder folder;
    write_many_words(folder.path(), 5, 12);
    const Store store(folder.path());
    const std::vector<std::size_t> words{4, 0};
    const Explanation found = explain(store, words, 3);
    ASSERT_EQ(found.words.size(), 2U);
    EXPECT_EQ(found.typical, typical_breadth(store));
    std::vector<double> breadths;
    for (std::size_t i = 0; i < 5; ++i) breadths.push_back(breadth(store.cloud(i)).breadth);
    std::ranges::sort(breadths);
    EXPECT_EQ(found.typical, breadths[2]);
    const ExplainedWord& first = found.words[0];
    EXPECT_EQ(first.found.word, "w004");
    EXPECT_EQ(first.rows, 12U);
    ASSERT_EQ(first.lines.size(), first.found.modes->modes.size());
    ASSERT_EQ(first.lines[0].size(), 3U);
    EXPECT_LT(first.found.modes->v, found.words[1].found.modes->v);
    EXPECT_EQ(first.lines[0][0].occurrence.row, first.found.modes->modes[0].rows[0]);
    const std::vector<std::size_t> beyond{12};
    EXPECT_THROW((void)concordance_of_rows(store, "w004", beyond), InputError);
}

TEST(LogBessel, AgreesWithTheStandardLibrary) {
    for (const double order : {0.0, 0.5, 1.0, 3.5, 10.0, 23.5, 24.0, 31.0, 50.0})
        for (const double x : {0.01, 0.7, 5.0, 40.0, 300.0})
            EXPECT_NEAR(study::log_bessel_i(order, x), std::log(std::cyl_bessel_i(order, x)),
                        1e-9 * (1 + std::abs(std::log(std::cyl_bessel_i(order, x)))))
                << order << " " << x;
}

// Ratios of neighbours by Gauss' continued fraction, at the orders of d = 384 and d = 1024.
TEST(LogBessel, HasTheRightRatiosAtLargeOrders) {
    for (const double order : {191.0, 511.0})
        for (const double x : {1.0, 300.0, 5000.0, 100000.0}) {
            double ratio = 0;  // I_{order + 1} / I_order
            for (double nu = order + 4000 + x; nu > order + 0.5; --nu) ratio = 1 / (2 * nu / x + ratio);
            EXPECT_NEAR(std::exp(study::log_bessel_i(order + 1, x) - study::log_bessel_i(order, x)), ratio, 1e-9)
                << order << " " << x;
        }
}

// In three dimensions the factor is kappa / (4 pi sinh kappa).
TEST(VonMisesFisher, HasTheFactorOfTheSphere) {
    for (const double kappa : {0.1, 1.0, 10.0, 200.0})
        EXPECT_NEAR(study::log_von_mises_fisher_factor(3, kappa),
                    std::log(kappa / (2 * std::numbers::pi)) - kappa - std::log1p(-std::exp(-2 * kappa)), 1e-8);
}

TEST(VonMisesFisher, MixtureFindsTwoDirections) {
    study::Points points{3, {}};
    study::RandomStream random(5, 0);
    for (std::size_t i = 0; i < 40; ++i) {
        std::vector<double> row{0.2 * random.normal(), 0.2 * random.normal(), 0.2 * random.normal()};
        row[i < 30 ? 0 : 1] += 1;
        const double length = std::hypot(row[0], row[1], row[2]);
        for (const double value : row) points.values.push_back(value / length);
    }
    std::vector<study::Labels> starts;
    const std::vector<double> even(3, 1.0);
    for (int start = 0; start < 4; ++start) starts.push_back(study::random_start(points, even, 2, random));
    const auto mixture = study::fit(points, 2, study::step_von_mises_fisher, starts, {4});
    ASSERT_TRUE(mixture);
    EXPECT_NEAR(*std::ranges::max_element(mixture->shares), 0.75, 0.02);
    EXPECT_NEAR(mixture->kappa, 25, 8);
    EXPECT_FALSE(study::fit(points, 2, study::step_von_mises_fisher, starts, {11}));
}

TEST(Symmetric, EigenpairsAreThoseOfTheMatrix) {
    constexpr std::size_t m = 13;
    const std::vector<double> values = testing::random_values({.n = m, .d = m}, 8);
    std::vector<double> matrix(m * m, 0.0);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t c = 0; c < m; ++c) matrix[i * m + j] += values[i * m + c] * values[j * m + c];
    const auto all = geometry::eigenpairs(matrix, m);
    std::vector<double> start(4 * m, 0.0);
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = std::sin(static_cast<double>(i * i));
    const auto some = geometry::leading_eigenpairs(matrix, m, start, 200);
    for (std::size_t a = 0; a < m; ++a)
        for (std::size_t i = 0; i < m; ++i) {
            double image = 0;
            for (std::size_t j = 0; j < m; ++j) image += matrix[i * m + j] * all.vectors[a * m + j];
            EXPECT_NEAR(image, all.values[a] * all.vectors[a * m + i], 1e-9);
        }
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(some.values[a], all.values[a], 1e-6);
}

}  // namespace
}  // namespace wordbreadth
