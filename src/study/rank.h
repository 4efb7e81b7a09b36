// The words of a store in the order of their breadth, or of their frequency.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "store/cloud_store.h"
#include "study/word_filter.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/names.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

enum class RankBy { breadth, frequency };

[[nodiscard]] constexpr auto names_of(RankBy) {
    return std::to_array<Named<RankBy>>({{RankBy::breadth, "v"}, {RankBy::frequency, "frequency"}});
}

struct RankOptions {
    RankBy by = RankBy::breadth;
    std::size_t common_size = 0;  // rows a cloud is cut to, at least 2; 0: as many as the smallest cloud has
    std::uint64_t seed = 0;       // of the samples (see sample.h)
    Execution execution = {};     // threads, progress and stop
    WordFilter filter = {};
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
    std::vector<UnrankedWord> left_out;  // in byte order; those asked for that the store does not have, too
    std::vector<FilteredOut> filtered;   // how many words the filter did not let in
};

// r depends on the size of a cloud, so all clouds that the filter lets in are cut to a common size: a smaller one is
// left out, and so is one that has no breadth (all its rows alike). The result does not depend on the number of
// threads. Throws InputError when the common size asked for is 1, no word is left, or the store is damaged; Cancelled
// when stopped.
[[nodiscard]] Ranking rank(const store::CloudStore& store, const RankOptions& options);

// Some words of a ranking, with those around them.
struct Neighbourhood {
    std::vector<std::size_t> shown;  // places in the ranking, ascending
    std::vector<std::size_t> named;  // those of the words themselves, ascending
};

// Up to `distance` ranks on either side. Throws InputError, with the reason, when a word has no rank.
[[nodiscard]] Neighbourhood neighbourhood(const Ranking& ranking, const std::vector<std::string>& words,
                                          std::size_t distance);

}  // namespace wordbreadth
