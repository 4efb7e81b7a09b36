// Pairs of words some ranks apart, as the paper samples them, and their tests by every method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wordbreadth/cloud.h"
#include "wordbreadth/lexicon.h"
#include "wordbreadth/rank.h"
#include "wordbreadth/rates.h"
#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

struct GapOptions {
    std::vector<std::size_t> gaps;     // in ranks, from 1
    std::optional<std::size_t> count;  // pairs at each gap; nothing: `usual_count`, or all where there are fewer
    std::size_t usual_count = 300;
    RankBy by = RankBy::v;
    bool cross_fit = false;       // rank on one half of each word's rows, test on the other
    std::size_t common_size = 0;  // rows taken of each word; 0: as many as the smallest cloud has
    std::uint64_t seed = 0;       // which rows, which pairs
    Execution execution = {};
    bool blocks = true;  // clouds with their documents, where the store knows them
};

struct GapPair {
    std::size_t gap = 0;
    std::size_t x = 0, y = 0;  // places in GapPairs::words, y = x + gap
};

// Pairs with all that is needed to test them. X is the broader one (or the more frequent).
struct GapPairs {
    std::vector<RankedWord> words;  // the whole ranking, on the rows it was made on
    std::size_t rows = 0;           // of each cloud that is tested
    std::vector<GapPair> pairs;     // gap after gap; within one in the order of ranks
    std::vector<Cloud> clouds;      // of the words in the pairs
    std::vector<Pair> tests;        // one a pair: its places in `clouds`
    std::size_t dropped = 0;        // pairs left out because the rows to test had no breadth
};

// Throws InputError when the store has too few words for a gap or for the count asked for, and as rank() does.
[[nodiscard]] GapPairs gap_pairs(const Store& store, const GapOptions& options);

struct TestedPair {
    std::size_t gap = 0;
    std::string x, y;
    double v_x = 0, v_y = 0;                 // on the rows that were ranked
    std::size_t senses_x = 0, senses_y = 0;  // 0: not in WordNet, or not looked up
    std::vector<double> p;                   // one a method of GapTests; NaN: undefined
};

struct GapTests {
    bool cross_fitted = false;
    Alternative alternative = Alternative::two_sided;
    double alpha = 0.05;
    std::size_t words = 0;  // in the ranking
    std::size_t rows = 0;   // of each cloud
    std::size_t dropped = 0;
    std::vector<TestedPair> pairs;
    // Those of rates.h that the device has, and the aligned test that permutes documents, where they are known and
    // wanted.
    std::vector<Method> methods{wordbreadth::methods.begin(), wordbreadth::methods.end()};

    [[nodiscard]] bool has_blocks() const { return methods.back().statistic == Statistic::blocks; }
};

struct GapTestOptions {
    GapOptions pairs;
    double alpha = 0.05;
    std::uint64_t permutations = 20000;
    bool adaptive = true;  // stop tests that cannot reject any more; changes no verdict at alpha
    Alternative alternative = Alternative::two_sided;
};

// `wordnet` may be null. Throws as gap_pairs and test_pairs do.
[[nodiscard]] GapTests test_gaps(const Store& store, const GapTestOptions& options, const WordNet* wordnet);

struct GapRates {
    std::size_t gap = 0;
    std::size_t pairs = 0;
    std::vector<Rate> rejected;   // of the pairs, one a method
    std::vector<Rate> precision;  // of the rejected pairs, those with different numbers of senses
    Rate differing;               // of all pairs: the precision of a test that rejects blindly
};

// In the order of the gaps.
[[nodiscard]] std::vector<GapRates> rates_by_gap(const GapTests& tests);

// All gaps together.
[[nodiscard]] GapRates rates_of_all(const GapTests& tests);

// The proposal against the baseline, gap by gap: aligned plain tests against plain tests without alignment.
struct GapScore {
    std::size_t wins = 0, ties = 0, losses = 0;  // of the proposal; gaps at which either has no rate do not count

    bool operator==(const GapScore&) const = default;
};
[[nodiscard]] GapScore rejection_score(const std::vector<GapRates>& rates);  // fewer rejections win
[[nodiscard]] GapScore precision_score(const std::vector<GapRates>& rates);  // the higher precision wins

}  // namespace wordbreadth
