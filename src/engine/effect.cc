#include "engine/effect.h"

#include <cmath>
#include <limits>

#include "permutation/normal.h"

namespace wordbreadth::engine {
namespace {

// Empty, or why the pair has no test.
std::string why_undefined(const Cloud& x, const Cloud& y, const Summary& of_x, const Summary& of_y,
                          Statistic statistic) {
    if (statistic == Statistic::plain) return {};
    if (x.size() == 2 && y.size() == 2)
        return x.label() + " and " + y.label() +
               " have 2 rows each, too few for the robust statistic; expected at least 3 in one of them, or use the "
               "plain statistic";
    for (const auto& [cloud, summary] : {std::pair{&x, &of_x}, std::pair{&y, &of_y}})
        if (!std::isfinite(summary->debiased.log_v))
            return cloud->label() +
                   ": the robust statistic is undefined, because the mean cosine between its rows is not above 0 (it "
                   "cannot be told from a uniform cloud); use more rows or the plain statistic";
    return {};
}

}  // namespace

Summary summarise(const Cloud& cloud) {
    const auto d = static_cast<double>(cloud.dimension());
    const double r = geometry::norm(cloud.sum()) / static_cast<double>(cloud.size());
    return {r, geometry::log_v(r, d), geometry::debiased(cloud.unit_rows(), cloud.sum(), d)};
}

TestResult observe(const Cloud& x, const Cloud& y, const Summary& of_x, const Summary& of_y,
                   const TestOptions& options) {
    TestResult result;
    result.x = x.name();
    result.y = y.name();
    result.x_source = x.origin();
    result.y_source = y.origin();
    result.n = x.size();
    result.m = y.size();
    result.d = x.dimension();
    result.r_x = of_x.r;
    result.r_y = of_y.r;
    result.v_x = std::exp(of_x.log_v);
    result.v_y = std::exp(of_y.log_v);
    result.T = of_x.log_v - of_y.log_v;
    result.ratio = std::exp(result.T);
    result.standard_error = std::sqrt(of_x.debiased.variance_of_log_v + of_y.debiased.variance_of_log_v);
    const double reach = permutation::normal_quantile(0.5 + options.confidence / 2) * result.standard_error;
    result.ci_low = result.T - reach;
    result.ci_high = result.T + reach;
    result.p = std::numeric_limits<double>::quiet_NaN();
    result.statistic = options.statistic;
    result.alternative = options.alternative;
    result.align = options.align;
    result.seed = options.seed;
    result.undefined = why_undefined(x, y, of_x, of_y, options.statistic);
    if (options.statistic == Statistic::robust && result.undefined.empty())
        result.t = (of_x.debiased.log_v - of_y.debiased.log_v) / result.standard_error;
    return result;
}

double observed_value(const TestResult& result) {
    return result.t ? *result.t : result.T;
}

}  // namespace wordbreadth::engine
