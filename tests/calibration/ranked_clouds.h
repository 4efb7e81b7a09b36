// Values whose true ranks are known, with estimates of them: do intervals for ranks cover?
#pragma once

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

// Whether all true ranks lie in their intervals; equal values may have any of the ranks that they share.
inline bool covers(const RankedCase& of, std::span<const RankInterval> intervals) {
    for (std::size_t i = 0; i < of.words; ++i) {
        std::size_t larger = 0, smaller = 0;
        for (std::size_t j = 0; j < of.words; ++j) {
            larger += true_value(of, j) > true_value(of, i) ? 1 : 0;
            smaller += true_value(of, j) < true_value(of, i) ? 1 : 0;
        }
        if (intervals[i].low > 1 + larger || intervals[i].high < of.words - smaller) return false;
    }
    return true;
}

// In how many of the trials all intervals cover.
inline std::uint64_t covering_trials(const RankedCase& of, std::uint64_t trials, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::uint64_t covering = 0;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        const std::vector<RankedEstimate> estimates = draw(of, generator);
        covering += covers(of, rank_intervals(estimates, {.seed = seed + trial}).of) ? 1 : 0;
    }
    return covering;
}

}  // namespace wordbreadth::calibration
