// Comparisons in which most words are broader by the same factor, so that none of these stands out: how often the test
// of words beyond the median says that one does.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "calibration/noisy_clouds.h"
#include "study/many_tests.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth::calibration {

struct ShiftedOptions {
    std::size_t comparisons = 100;
    std::size_t words = 60;                // a third of them differ beyond the shift, half of these are narrower
    std::size_t documents = 15, rows = 3;  // of each cloud, and of each of its documents
    double of_document = 0.4;              // of the deviations, shared by the rows of a document
    double shift = 1.15, beyond = 1.25;    // factors of the spread
    double alpha = 0.05;
    std::uint64_t seed = 1;
};

struct ShiftedRates {
    Rate false_positives;     // of the words that share the shift: p beyond the median at or below alpha
    Rate against_equality;    // of the same words: p of the permutation test
    Rate detected;            // of the others, beyond the median
    double median_error = 0;  // in the mean, of the median effect: its standard error
};

class Shifted {
  public:
    explicit Shifted(const ShiftedOptions& options) : options_(options), clouds_(options.seed, 32) {}

    // The first two thirds of the words share the shift.
    Comparison comparison() {
        Comparison made;
        std::vector<Cloud> clouds;
        std::vector<Pair> pairs;
        for (std::size_t i = 0; i < options_.words; ++i) {
            const double factor = is_beyond(i) ? (i % 2 == 0 ? options_.beyond : 1 / options_.beyond) : 1;
            pairs.push_back({clouds.size(), clouds.size() + 1});
            clouds.push_back(cloud(options_.shift * factor));
            clouds.push_back(cloud(1));
        }
        TestOptions test;
        test.permutations = 199;
        test.execution.threads = 1;
        made.words.resize(pairs.size());
        made.options.adjustment = Adjustment::none;
        const std::vector<TestResult> results = test_pairs(clouds, pairs, test);
        for (std::size_t i = 0; i < results.size(); ++i) made.words[i].test = results[i];
        study::center(made);
        return made;
    }

    [[nodiscard]] bool is_beyond(std::size_t word) const { return 3 * word >= 2 * options_.words; }

  private:
    // Around a direction of its own, with documents that deviate from it, and rows from these.
    Cloud cloud(double spread) {
        const double part = options_.of_document;
        return clouds_.cloud("cloud", documents(options_.documents, options_.rows),
                             {spread * part, spread * std::sqrt(1 - part * part)});
    }

    ShiftedOptions options_;
    NoisyClouds clouds_;
};

inline ShiftedRates shifted_rates(const ShiftedOptions& options) {
    Shifted words(options);
    std::vector<double> shared, equality, beyond;
    double squares = 0;
    for (std::size_t k = 0; k < options.comparisons; ++k) {
        const Comparison found = words.comparison();
        squares += found.median_standard_error * found.median_standard_error;
        for (std::size_t i = 0; i < found.words.size(); ++i) {
            (words.is_beyond(i) ? beyond : shared).push_back(found.words[i].centered.p);
            if (!words.is_beyond(i)) equality.push_back(found.words[i].test.p);
        }
    }
    return {rejection_rate(shared, options.alpha), rejection_rate(equality, options.alpha),
            rejection_rate(beyond, options.alpha), std::sqrt(squares / static_cast<double>(options.comparisons))};
}

}  // namespace wordbreadth::calibration
