// Pairs some ranks apart, tested by every method: what the paper's tables are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lexicon/wordnet.h"
#include "store/cloud_store.h"
#include "study/gap_pairs.h"
#include "study/methods.h"
#include "study/rates.h"

namespace wordbreadth {

struct TestedPair {
    std::size_t gap = 0;
    std::string x, y;
    double v_x = 0, v_y = 0;                 // on the rows that were ranked
    std::size_t senses_x = 0, senses_y = 0;  // 0: not in WordNet, or not looked up
    PerMethod<double> p{};                   // NaN: undefined
};

struct GapTests {
    bool cross_fitted = false;
    double alpha = 0.05;
    std::size_t words = 0;  // in the ranking
    std::size_t rows = 0;   // of each cloud
    std::size_t dropped = 0;
    std::vector<TestedPair> pairs;
};

struct GapTestOptions {
    GapOptions pairs;
    double alpha = 0.05;
    std::uint64_t permutations = 20000;
    bool adaptive = true;  // stop tests that cannot reject any more; changes no verdict at alpha
};

// Two-sided tests. `wordnet` may be null. Throws as gap_pairs and test_pairs do.
[[nodiscard]] GapTests test_gaps(const store::CloudStore& store, const GapTestOptions& options,
                                 const lexicon::WordNet* wordnet);

struct GapRates {
    std::size_t gap = 0;
    std::size_t pairs = 0;
    PerMethod<Rate> rejected;   // of the pairs
    PerMethod<Rate> precision;  // of the rejected pairs, those with different numbers of senses
    Rate differing;             // of all pairs: the precision of a test that rejects blindly
};

// In the order of the gaps.
[[nodiscard]] std::vector<GapRates> rates_by_gap(const GapTests& tests);

// All gaps together.
[[nodiscard]] GapRates rates_of_all(const GapTests& tests);

}  // namespace wordbreadth
