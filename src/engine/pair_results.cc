#include "engine/pair_results.h"

#include <cmath>
#include <limits>

#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::engine {
namespace {

const geometry::Pairwise& pairwise_of(const CloudFigures& cloud, Statistic statistic) {
    return statistic == Statistic::blocks ? *cloud.summary->blocks : cloud.summary->rows;
}

// The effect, log of the ratio of breadths, with an interval where there is one.
void add_effect(TestResult& result, const FiguresOfPair& pair, double confidence) {
    const geometry::Pairwise& x = pairwise_of(pair.x, result.statistic);
    const geometry::Pairwise& y = pairwise_of(pair.y, result.statistic);
    result.effect = x.debiased.log_v - y.debiased.log_v;
    result.ratio = std::exp(result.effect);
    const double of_x = x.standard_error * x.standard_error;
    const double of_y = y.standard_error * y.standard_error;
    result.standard_error = std::sqrt(of_x + of_y);
    result.ci_low = result.ci_high = result.degrees_of_freedom = std::numeric_limits<double>::quiet_NaN();
    if (!(result.standard_error > 0)) return;
    // Welch and Satterthwaite.
    result.degrees_of_freedom =
        (of_x + of_y) * (of_x + of_y) /
        (of_x * of_x / static_cast<double>(x.blocks - 1) + of_y * of_y / static_cast<double>(y.blocks - 1));
    const Interval interval = confidence_interval(result, confidence);
    result.ci_low = interval.low;
    result.ci_high = interval.high;
}

// The observed split is one of all; two-sided, its mirror image is as extreme where both groups are of one size.
double smallest_p(const TestResult& result, const permutation::Splits& splits) {
    const auto [n, m] = sizes_of(result);
    const bool mirrored = splits.enumerated && n == m && result.alternative == Alternative::two_sided;
    return (mirrored ? 2.0 : 1.0) / static_cast<double>(splits.enumerated ? splits.count : splits.count + 1);
}

}  // namespace

void check_pair(const FiguresOfPair& pair, Statistic statistic) {
    const auto& [x, y] = pair;
    for (const CloudFigures* cloud : {&x, &y})
        if (statistic == Statistic::blocks && !cloud->has_blocks)
            throw InputError(
                cloud->label() +
                ": its rows have no documents (blocks) to permute; give the document of each row, or permute "
                "rows");
    if (x.dimension != y.dimension)
        throw InputError(x.label() + " has " + std::to_string(x.dimension) + " dimensions and " + y.label() + " has " +
                         std::to_string(y.dimension) + "; both must come from the same model and layer");
    if (x.rows + y.rows > limits::rows_of_a_pair)
        throw InputError(x.label() + " and " + y.label() + " have " + std::to_string(x.rows + y.rows) +
                         " rows together; expected at most " + std::to_string(limits::rows_of_a_pair) +
                         ": take a sample of each");
}

Statistic statistic_of(const FiguresOfPair& pair, const TestOptions& options) {
    if (options.statistic != Statistic::automatic) return options.statistic;
    // A family needs statistics of one scale.
    const Statistic otherwise = options.max_t ? Statistic::robust : Statistic::plain;
    return pair.x.has_blocks && pair.y.has_blocks ? Statistic::blocks : otherwise;
}

std::string why_undefined(const FiguresOfPair& pair, Statistic statistic) {
    if (statistic == Statistic::plain) return {};
    const auto& [x, y] = pair;
    const bool blocks = statistic == Statistic::blocks;
    for (const CloudFigures* cloud : {&x, &y})
        if (blocks && cloud->summary->blocks->blocks < 2)
            return cloud->label() + ": all " + std::to_string(cloud->rows) +
                   " rows are of one document, and a test that permutes documents needs at least 2; take rows from "
                   "more documents, or permute rows, which assumes that rows of one document are independent";
    const std::string units = blocks ? " documents" : " rows";
    if (pairwise_of(x, statistic).blocks == 2 && pairwise_of(y, statistic).blocks == 2)
        return x.label() + " and " + y.label() + " have 2" + units +
               " each, too few for the robust statistic; expected at least 3 in one of them" +
               (blocks ? "" : ", or use the plain statistic");
    for (const CloudFigures* cloud : {&x, &y})
        if (!std::isfinite(pairwise_of(*cloud, statistic).debiased.log_v))
            return cloud->label() + ": the robust statistic is undefined, because the mean cosine between its rows" +
                   (blocks ? " of different documents" : "") +
                   " is not above 0 (it cannot be told from a uniform cloud); use more rows or the plain statistic";
    return {};
}

std::pair<std::size_t, std::size_t> permuted_of(const FiguresOfPair& pair, Statistic statistic) {
    if (statistic == Statistic::blocks) return {pair.x.summary->blocks->blocks, pair.y.summary->blocks->blocks};
    return {pair.x.rows, pair.y.rows};
}

double observed_of(const FiguresOfPair& pair, Statistic statistic) {
    if (statistic == Statistic::plain) return pair.x.summary->log_v - pair.y.summary->log_v;
    return geometry::studentised(pairwise_of(pair.x, statistic).debiased, pairwise_of(pair.y, statistic).debiased);
}

TestResult named_result(const FiguresOfPair& pair) {
    const auto& [x, y] = pair;
    TestResult result;
    result.x = x.name;
    result.y = y.name;
    result.x_source = x.origin;
    result.y_source = y.origin;
    result.n = x.rows;
    result.m = y.rows;
    result.d = x.dimension;
    return result;
}

TestResult observe(const FiguresOfPair& pair, const TestOptions& options) {
    const auto& [x, y] = pair;
    TestResult result = named_result(pair);
    result.r_x = x.summary->r;
    result.r_y = y.summary->r;
    result.v_x = std::exp(x.summary->log_v);
    result.v_y = std::exp(y.summary->log_v);
    result.T = observed_of(pair, Statistic::plain);
    result.p = result.smallest_p = std::numeric_limits<double>::quiet_NaN();
    result.statistic = statistic_of(pair, options);
    if (result.statistic == Statistic::blocks) {
        result.blocks_x = x.summary->blocks->blocks;
        result.blocks_y = y.summary->blocks->blocks;
    }
    add_effect(result, pair, options.confidence);
    result.alternative = options.alternative;
    result.align = options.align;
    result.seed = options.seed;
    result.undefined = why_undefined(pair, result.statistic);
    if (result.statistic == Statistic::plain || !result.undefined.empty()) return result;
    result.t = observed_of(pair, result.statistic);
    return result;
}

void add_count(TestResult& result, const permutation::Tally& tally, const permutation::Splits& splits) {
    result.exceedances = tally.exceedances;
    result.permutations = tally.looked_at;
    result.stopped_early = tally.stopped_early;
    result.exact = splits.enumerated;
    result.p = permutation::p_value(tally, splits);
    result.smallest_p = smallest_p(result, splits);
}

double observed_value(const TestResult& result) {
    return result.t ? *result.t : result.T;
}

std::pair<std::size_t, std::size_t> sizes_of(const TestResult& result) {
    if (result.statistic == Statistic::blocks) return {result.blocks_x, result.blocks_y};
    return {result.n, result.m};
}

}  // namespace wordbreadth::engine
