#include "study/needed.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "permutation/distributions.h"
#include "study/many_tests.h"

namespace wordbreadth::study {
namespace {

// The smallest of the values that at least this share of them is not above.
double upper(std::vector<double> values, double share) {
    std::ranges::sort(values);
    const auto at = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::clamp<std::size_t>(at, 1, values.size()) - 1];
}

// Of the words that have a standard error.
struct Words {
    std::vector<double> rows, blocks_per_row, design_effects;
    std::vector<double> variances;  // of log breadth, times the rows

    explicit Words(std::span<const Breadth> breadths) {
        for (const Breadth& breadth : breadths) {
            if (!(breadth.log_v_standard_error > 0)) continue;
            const auto n = static_cast<double>(breadth.n);
            rows.push_back(n);
            blocks_per_row.push_back(breadth.blocks == 0 ? 1 : static_cast<double>(breadth.blocks) / n);
            design_effects.push_back(breadth.design_effect);
            variances.push_back(n * breadth.log_v_standard_error * breadth.log_v_standard_error);
        }
    }
};

// Through the word in the middle at both sizes; where small clouds are not less sure, as 1 / n.
BreadthVariance variance_of(const Words& whole, const Words& parts) {
    const double n = median(whole.rows), variance = median(whole.variances);
    if (parts.rows.empty() || !(median(parts.rows) < n)) return {variance, 0};
    const double second =
        std::clamp((median(parts.variances) - variance) / (1 / median(parts.rows) - 1 / n), 0.0, variance * n);
    return {variance - second / n, second};
}

}  // namespace

double needed_rows(const BreadthVariance& variance, double blocks_per_row, double ratio, double alpha, double power) {
    constexpr double fewest_blocks = 5;  // which can be divided in 252 ways
    const double effect = std::abs(std::log(ratio)), fewest = fewest_blocks / blocks_per_row;
    double rows = fewest;
    // The quantiles and the variance depend on the rows, and the rows on them.
    for (int step = 0; step < 200; ++step) {
        const double freedom = 2 * (rows * blocks_per_row - 1);
        const double reach =
            permutation::student_quantile(1 - alpha / 2, freedom) + permutation::student_quantile(power, freedom);
        const double next = std::max(2 * rows * variance.at(rows) * reach * reach / (effect * effect), fewest);
        if (std::abs(next - rows) < 1e-9 * rows) break;
        rows = (rows + next) / 2;  // half a step, lest it swings about the solution
    }
    return rows;
}

NeededSizes needed_sizes(std::span<const Breadth> whole, std::span<const Breadth> parts, double alpha, double power) {
    NeededSizes sizes;
    sizes.alpha = alpha;
    sizes.power = power;
    const Words words(whole);
    sizes.words = words.rows.size();
    if (sizes.words == 0) return sizes;
    sizes.design_effect = median(words.design_effects);
    const bool documents = std::ranges::any_of(whole, [](const Breadth& breadth) { return breadth.blocks > 0; });
    const double share = median(words.blocks_per_row);
    const BreadthVariance middle = variance_of(words, Words(parts));
    const double times = upper(words.variances, 0.9) / median(words.variances);
    const BreadthVariance most = {times * middle.first, times * middle.second};
    for (const double ratio : {1.1, 1.2, 1.5}) {
        NeededRows needed{ratio, std::ceil(needed_rows(middle, share, ratio, alpha, power)), 0,
                          std::ceil(needed_rows(most, share, ratio, alpha, power)), 0};
        if (documents) {
            needed.documents = std::ceil(needed.rows * share);
            needed.most_documents = std::ceil(needed.most_rows * share);
        }
        sizes.ratios.push_back(needed);
    }
    return sizes;
}

}  // namespace wordbreadth::study
