// The words of a store in the order of their breadth, or of their frequency, and how far their ranks can be trusted.
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
#include "wordbreadth/frequency.h"
#include "wordbreadth/names.h"
#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

enum class RankBy {
    breadth,  // without the bias of small clouds: Breadth::breadth
    v,        // the paper's
    frequency,
};

[[nodiscard]] constexpr auto names_of(RankBy) {
    using enum RankBy;
    return std::to_array<Named<RankBy>>({{breadth, "breadth"}, {v, "v"}, {frequency, "frequency"}});
}

// One of the values that are ranked. Without standard error (NaN) its rank is unknown.
struct RankedEstimate {
    double value = 0;
    double standard_error = std::numeric_limits<double>::quiet_NaN();
    double freedom = std::numeric_limits<double>::infinity();  // degrees of freedom of the standard error, at least 1
};

struct RankIntervalOptions {
    double confidence = 0.95;  // that all intervals hold, 0.5 to 0.99
    std::uint64_t seed = 0;    // of the draws
    Execution execution = {};  // threads, progress and stop
};

// Ranks count from 1, the largest value.
struct RankInterval {
    std::size_t low = 1, high = 1;
    // Runs of values in their order, from 1: a value begins a new one where it can be told apart from one of the
    // current run. Values of neighbouring groups need not be told apart; those of a group are not.
    std::size_t group = 1;
    // The marginal interval, for whoever asks about this value alone: with the confidence asked for, its rank lies
    // here. Within the other one, and no promise about several values.
    std::size_t marginal_low = 1, marginal_high = 1;
};

struct RankIntervals {
    std::vector<RankInterval> of;  // one for each estimate, in their order
    std::size_t groups = 0;
    double critical = 0;  // two values are told apart where their t, as a normal deviate, is beyond this
};

// Simultaneous intervals from all pairwise differences (Mogstad, Romano, Shaikh and Wilhelm 2024): with the confidence
// asked for, every true rank lies in its interval. A value's rank is at least 1 plus the number of values that are told
// apart as larger, and likewise at the other end. Two values are told apart where the t of their difference, with the
// smaller degrees of freedom of the two, is beyond a critical value: the quantile of the largest t among all pairs in
// 1,000 draws of normal values and standard errors without any difference, then again without the differences found, as
// long as that finds more (step-down). For a marginal interval it is the quantile of the largest t among the pairs with
// that value, or the other one where that is smaller. Estimates are taken to be independent and normal. The result does
// not depend on the number of threads. Throws InputError when an option is out of range, Cancelled when stopped.
[[nodiscard]] RankIntervals rank_intervals(std::span<const RankedEstimate> estimates,
                                           const RankIntervalOptions& options = {});

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
    // Rows that each cloud is cut to, at least 2. 0: those of the smallest cloud for r, kappa and v, which depend on
    // the number of rows, and all rows for the breadth, which does not.
    std::size_t common_size = 0;
    std::uint64_t seed = 0;    // of the samples, and of the draws behind the intervals of ranks
    Execution execution = {};  // threads, progress and stop
    WordFilter filter = {};
    // Breadth from pairs of rows of different documents, where the store knows them; otherwise from all pairs.
    bool documents = true;
    bool modes = false;  // count the modes of every word: takes much longer than all the rest
};

// Into how many modes a word falls, and the share of its spread that lies between them: see modes.h.
struct ModeShare {
    std::size_t modes = 0;
    double between = 0;
};

struct RankedWord {
    std::string word;
    std::uint64_t frequency = 0;
    std::uint64_t rows = 0;  // in the store
    // r, kappa and v of `n` rows, the others of all rows, or of `n` where a common size was asked for. Without a
    // standard error with fewer than 4 documents, or rows where these are not known.
    Breadth breadth;
    double breadth_low = std::numeric_limits<double>::quiet_NaN();  // 95% interval for breadth.breadth
    double breadth_high = std::numeric_limits<double>::quiet_NaN();
    RankInterval ranks = {0, 0, 0, 0, 0};  // 95%, for all words at once, and for each; only in a ranking by breadth
    FrequencyResidual given_frequency = {};
    std::optional<ModeShare> modes = {};  // where asked for, of words with enough rows
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
    bool documents = false;              // breadth is from pairs of rows of different documents
    bool whole = false;                  // breadth is of all rows of a word, not of common_size
    bool modes = false;                  // were counted
    std::size_t groups = 0;              // of words that cannot be told apart; 0 where ranks have no intervals
};

// Words with fewer rows than the common size are left out, and so are those without v (all rows alike) and, from a
// ranking by breadth, those without breadth: all rows in one document, or a mean cosine that is not positive. The
// result does not depend on the number of threads. Throws InputError when the common size asked for is 1, no word is
// left, or the store is damaged; Cancelled when stopped.
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
