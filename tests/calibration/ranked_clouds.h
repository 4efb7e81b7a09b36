// Values whose true ranks are known, with estimates of them: do intervals for ranks cover?
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "calibration/noisy_clouds.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/rank.h"

namespace wordbreadth::calibration {

// How the true values lie: all equal is the hardest case, since every difference that is found is false.
enum class Truth { equal, two_levels, steps };

struct RankedCase {
    const char* name;
    std::size_t words;
    Truth truth;
    std::size_t fewest_freedom, most_freedom;  // degrees of freedom, drawn for each word
    double error_ratio;                        // of the largest to the smallest standard error
    bool clouds = false;                       // breadths of clouds of documents; else normal estimates
};

inline double true_value(const RankedCase& of, std::size_t word) {
    if (of.truth == Truth::equal) return 0;
    if (of.truth == Truth::two_levels) return word % 2 == 0 ? 1 : 0;
    return 0.3 * static_cast<double>(word / 2);  // pairs of equal ones
}

// The breadth of a cloud of some documents of 1 to 4 rows, each with a direction of its own.
inline RankedEstimate cloud_estimate(double value, std::size_t documents, std::mt19937_64& generator) {
    std::uniform_int_distribution<std::size_t> rows_of(1, 4);
    DocumentSizes rows;
    for (std::size_t document = 0; document < documents; ++document) rows.push_back(rows_of(generator));
    const double noise = 0.8 * std::exp(0.3 * value);
    const Breadth found = breadth(NoisyClouds(generator(), 24).cloud("cloud", rows, {noise, noise}));
    return {std::log(found.breadth), found.log_v_standard_error, static_cast<double>(found.blocks - 1)};
}

inline RankedEstimate normal_estimate(double value, std::size_t freedom, double error, std::mt19937_64& generator) {
    std::normal_distribution<double> normal;
    std::chi_squared_distribution<double> squares(static_cast<double>(freedom));
    const double estimate = value + error * normal(generator);
    return {estimate, error * std::sqrt(squares(generator) / static_cast<double>(freedom)),
            static_cast<double>(freedom)};
}

inline std::vector<RankedEstimate> draw(const RankedCase& of, std::mt19937_64& generator) {
    std::uniform_int_distribution<std::size_t> freedom(of.fewest_freedom, of.most_freedom);
    std::vector<RankedEstimate> estimates;
    for (std::size_t word = 0; word < of.words; ++word) {
        const double place = static_cast<double>(word) / static_cast<double>(of.words);
        const double value = true_value(of, word), error = 0.1 * std::pow(of.error_ratio, place);
        const std::size_t its_freedom = freedom(generator);
        estimates.push_back(of.clouds ? cloud_estimate(value, its_freedom + 1, generator)
                                      : normal_estimate(value, its_freedom, error, generator));
    }
    return estimates;
}

// Whether an interval has the true rank of a value in it; equal values may have any of the ranks that they share.
inline bool covers(const RankedCase& of, std::size_t word, std::size_t low, std::size_t high) {
    std::size_t larger = 0, smaller = 0;
    for (std::size_t j = 0; j < of.words; ++j) {
        larger += true_value(of, j) > true_value(of, word) ? 1 : 0;
        smaller += true_value(of, j) < true_value(of, word) ? 1 : 0;
    }
    return low <= 1 + larger && high >= of.words - smaller;
}

// In how many of the trials all intervals cover, and in how many the marginal ones of single values do: of the first,
// whose error is the smallest, of the one in the middle, and of the last.
struct CoveringTrials {
    std::uint64_t all = 0;
    std::array<std::uint64_t, 3> alone{};
};

inline CoveringTrials covering_trials(const RankedCase& of, std::uint64_t trials, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    CoveringTrials covering;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        const std::vector<RankInterval> found = rank_intervals(draw(of, generator), {.seed = seed + trial}).of;
        bool all = true;
        for (std::size_t i = 0; i < of.words; ++i) all = all && covers(of, i, found[i].low, found[i].high);
        covering.all += all ? 1 : 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t i = k * (of.words - 1) / 2;
            covering.alone[k] += covers(of, i, found[i].marginal_low, found[i].marginal_high) ? 1 : 0;
        }
    }
    return covering;
}

}  // namespace wordbreadth::calibration
