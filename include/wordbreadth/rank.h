// The words of a store in the order of their breadth, or of their frequency.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbreadth/breadth.h"
#include "wordbreadth/names.h"
#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

enum class RankBy { breadth, frequency };

[[nodiscard]] constexpr auto names_of(RankBy) {
    return std::to_array<Named<RankBy>>({{RankBy::breadth, "v"}, {RankBy::frequency, "frequency"}});
}

// Which words of a store a ranking is about.
struct WordFilter {
    std::vector<std::string> words = {};  // only these; empty: all
    std::uint64_t min_frequency = 0;
    std::uint64_t max_frequency = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::string> stop_words = {};  // none of these, whatever their case
};

// Function words of English, which lead every ranking: articles, pronouns, prepositions, conjunctions, auxiliaries, and
// the commonest adverbs of degree and negation. In lower case and byte order.
[[nodiscard]] std::span<const std::string_view> english_stop_words();

struct RankOptions {
    RankBy by = RankBy::breadth;
    std::size_t common_size = 0;  // rows that each cloud is cut to, at least 2; 0: those of the smallest cloud
    std::uint64_t seed = 0;       // of the samples
    Execution execution = {};     // threads, progress and stop
    WordFilter filter = {};
};

struct RankedWord {
    std::string word;
    std::uint64_t frequency = 0;
    std::uint64_t rows = 0;  // in the store; breadth.n of them were used
    Breadth breadth;
    // Of `frequency`, those in copies of earlier sentences, which have no rows; nothing where the store does not know.
    std::optional<std::uint64_t> duplicates = {};
};

// A word without a rank, and why.
struct UnrankedWord {
    std::string word;
    std::uint64_t frequency = 0;
    std::uint64_t rows = 0;
    std::string reason;
};

// How many words a part of the filter removed; each counts for the first part that does.
struct FilteredOut {
    std::string reason;  // "not asked for", "rarer than 50", "more frequent than 900", "stop words"
    std::size_t words = 0;
};

// "610 not asked for, 132 stop words".
[[nodiscard]] std::string text_of(const std::vector<FilteredOut>& out);

struct Ranking {
    RankBy by = RankBy::breadth;
    std::size_t common_size = 0;
    std::string smallest;  // the word whose cloud gave the common size; empty: it was asked for
    std::uint64_t seed = 0;
    std::vector<RankedWord> words;       // broadest, or most frequent, first; ties in byte order
    std::vector<UnrankedWord> left_out;  // in byte order; includes the words asked for that the store lacks
    std::vector<FilteredOut> filtered;   // parts that removed no word are not listed
};

// r depends on the size of a cloud, so all clouds that pass the filter are cut to a common size: a smaller one is left
// out, and so is one without breadth (all its rows alike). The result does not depend on the number of threads.
// Throws InputError when the common size asked for is 1, no word is left, or the store is damaged; Cancelled when
// stopped.
[[nodiscard]] Ranking rank(const Store& store, const RankOptions& options = {});

// Some words of a ranking, with those around them.
struct Neighbourhood {
    std::vector<std::size_t> shown;  // indices into the ranking, ascending
    std::vector<std::size_t> named;  // those of the words themselves, ascending
};

// Up to `distance` ranks on either side. Throws InputError, with the reason, when a word has no rank.
[[nodiscard]] Neighbourhood neighbourhood(const Ranking& ranking, const std::vector<std::string>& words,
                                          std::size_t distance);

}  // namespace wordbreadth
