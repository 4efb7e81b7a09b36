// The words of a store in the order of their breadth, or of their frequency.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "store/cloud_store.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

enum class RankBy { breadth, frequency };

struct RankOptions {
    RankBy by = RankBy::breadth;
    std::size_t common_size = 0;  // rows a cloud is cut to, at least 2; 0: as many as the smallest cloud has
    std::uint64_t seed = 0;       // of the samples (see sample.h)
    Execution execution = {};     // threads, progress and stop
};

struct RankedWord {
    std::string word;
    std::uint64_t frequency = 0;
    std::uint64_t rows = 0;  // in the store; breadth.n of them were used
    Breadth breadth;
};

// A word that has no place in the ranking, and why.
struct UnrankedWord {
    std::string word;
    std::uint64_t frequency = 0;
    std::uint64_t rows = 0;
    std::string reason;
};

struct Ranking {
    RankBy by = RankBy::breadth;
    std::size_t common_size = 0;
    std::string smallest;  // the word whose cloud gave the common size; empty: it was asked for
    std::uint64_t seed = 0;
    std::vector<RankedWord> words;       // broadest, or most frequent, first; equal ones in byte order
    std::vector<UnrankedWord> left_out;  // in byte order
};

// r depends on the size of a cloud, so all clouds are cut to a common size: a smaller one is left out, and so is one
// that has no breadth (all its rows alike). The result does not depend on the number of threads.
// Throws InputError when the common size asked for is 1, no word is left, or the store is damaged; Cancelled when
// stopped.
[[nodiscard]] Ranking rank(const store::CloudStore& store, const RankOptions& options);

}  // namespace wordbreadth
