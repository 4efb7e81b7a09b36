// Pairs of words some ranks apart, as the paper samples them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/cloud_store.h"
#include "study/rank.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

struct GapOptions {
    std::vector<std::size_t> gaps;     // in ranks, from 1
    std::optional<std::size_t> count;  // pairs at each gap; nothing: `usual_count`, or all where there are fewer
    std::size_t usual_count = 300;
    RankBy by = RankBy::breadth;
    bool cross_fit = false;       // rank on one half of each word's rows, test on the other
    std::size_t common_size = 0;  // rows taken of each word; 0: as many as the smallest cloud has
    std::uint64_t seed = 0;       // which rows, which pairs
    Execution execution = {};
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
[[nodiscard]] GapPairs gap_pairs(const store::CloudStore& store, const GapOptions& options);

// Rows of the smallest cloud that has at least `fewest`; 0 when there is none.
[[nodiscard]] std::size_t smallest_cloud(const store::CloudStore& store, std::size_t fewest);

// The pairs at one gap among `words` words, sampled without replacement: a pure function of all four.
[[nodiscard]] std::vector<GapPair> pairs_at_gap(std::size_t words, std::size_t gap, std::size_t count,
                                                std::uint64_t seed);

}  // namespace wordbreadth
