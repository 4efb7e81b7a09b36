// Pairs of clouds whose breadths have a known ratio: how often two one-sided tests call them equivalent.
//
// Rows are those of nulls.h. Where they come in documents, rows of one share half of their noise: a row by itself is
// distributed as before, and so is the mean cosine of rows from different documents, from which breadth is computed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "calibration/nulls.h"
#include "wordbreadth/equivalence.h"

namespace wordbreadth::calibration {

struct Boundary {
    std::size_t n = 0, m = 0;
    std::size_t per_document = 0;  // rows; 0: rows are independent, and no documents are known
    Shape shape{{{4, 0.3}, {27, 0.7}}, 0};
};

// log v of a cloud whose expected row has length r.
inline double log_breadth(double r, double d) {
    return std::log((1 - r * r) / (r * (d - r * r)));
}

// The r of a cloud that is `ratio` times as broad as one of length r.
inline double broader_length(double r, double ratio, double d) {
    const double wanted = log_breadth(r, d) + std::log(ratio);
    double low = 1e-3, high = r;
    while (high - low > 1e-14) {
        const double middle = (low + high) / 2;
        (log_breadth(middle, d) > wanted ? low : high) = middle;
    }
    return low;
}

class KnownCloud {
  public:
    KnownCloud(Shape shape, double r) : shape_(std::move(shape)), length_(noise_length(shape_, r)) {
        for (const auto& [axes, share] : shape_.bands)
            deviations_.insert(deviations_.end(), axes, std::sqrt(share / static_cast<double>(axes)));
    }

    [[nodiscard]] Cloud draw(const std::string& name, std::size_t n, std::size_t per_document,
                             std::mt19937_64& generator) const {
        std::normal_distribution<double> normal;
        std::vector<double> values, of_document(deviations_.size());
        std::vector<std::uint64_t> documents;
        const double shared = per_document > 0 ? std::sqrt(0.5) : 0, own = std::sqrt(1 - shared * shared);
        for (std::size_t i = 0; i < n; ++i) {
            if (per_document > 0 && i % per_document == 0)
                for (double& value : of_document) value = normal(generator);
            const double length = length_ * std::exp(shape_.tail * normal(generator));
            values.push_back(1);
            for (std::size_t k = 0; k < deviations_.size(); ++k)
                values.push_back(length * deviations_[k] * (shared * of_document[k] + own * normal(generator)));
            if (per_document > 0) documents.push_back(i / per_document);
        }
        Cloud cloud(name, std::move(values), deviations_.size() + 1);
        if (per_document > 0) cloud.set_blocks(documents);
        return cloud;
    }

  private:
    Shape shape_;
    double length_;
    std::vector<double> deviations_;
};

struct BoundaryRates {
    std::uint64_t trials = 0;
    std::uint64_t at_the_margin = 0;  // called equivalent though the true ratio is the margin: wrongly
    std::uint64_t of_equals = 0;      // rightly
    [[nodiscard]] double wrong() const { return static_cast<double>(at_the_margin) / static_cast<double>(trials); }
    [[nodiscard]] double right() const { return static_cast<double>(of_equals) / static_cast<double>(trials); }
};

// Of tests at the level 0.05.
inline BoundaryRates rates_at(const Boundary& boundary, double ratio, std::uint64_t trials, std::uint64_t seed) {
    constexpr double r = 0.6, level = 0.05;
    std::size_t d = 1;
    for (const Band& band : boundary.shape.bands) d += band.axes;
    const KnownCloud narrow(boundary.shape, r);
    const KnownCloud broad(boundary.shape, broader_length(r, ratio, static_cast<double>(d)));
    std::mt19937_64 generator(seed);
    TestOptions options;
    options.statistic = Statistic::automatic;
    options.permutations = 1;  // equivalence rests on the effect alone
    options.execution.threads = 1;
    BoundaryRates rates{.trials = trials};
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        const Cloud y = narrow.draw("y", boundary.m, boundary.per_document, generator);
        const auto is_equivalent = [&](const KnownCloud& of_x) {
            const Cloud x = of_x.draw("x", boundary.n, boundary.per_document, generator);
            return equivalence(test(x, y, options), ratio, level).p <= level ? 1U : 0U;
        };
        rates.at_the_margin += is_equivalent(broad);
        rates.of_equals += is_equivalent(narrow);
    }
    return rates;
}

}  // namespace wordbreadth::calibration
