// What triage and compare have in common: many words, many tests, a few occurrences to look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "wordbreadth/adjust.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

// Where many tests run, most are nowhere near significance: each stops at its 100th exceedance, which leaves p a
// relative error of 10%.
inline constexpr std::uint64_t adaptive_of_many_tests = 100;

[[nodiscard]] inline TestOptions options_of_many_tests(Alternative alternative) {
    TestOptions options;
    options.alternative = alternative;
    options.adaptive = adaptive_of_many_tests;
    return options;
}

struct WordStudyOptions {
    TestOptions test;             // its seed decides the samples, too
    std::size_t common_size = 0;  // rows that clouds are cut to; 0: the study's own rule
    double alpha = 0.05;          // an adjusted p that is no larger is a finding
    Adjustment adjustment = Adjustment::benjamini_hochberg;
    std::size_t concordances = 200;  // words, from the first on, whose concordances are kept
    std::size_t lines = 6;           // of each of these, from each store
    bool modes = false;              // of compare: find the modes of every word in both stores
    bool force = false;              // compare stores that are not comparable (see comparable.h) all the same
};

// How the reason begins that a word has no test of documents as blocks.
inline constexpr std::string_view one_document = "has all its rows from one document";

// A word that a study could not take, and why.
struct LeftOut {
    std::string word;
    std::string reason;
};

}  // namespace wordbreadth
