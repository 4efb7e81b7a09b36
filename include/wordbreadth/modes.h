// Why a cloud is broad: because it falls into several tight modes, or because it is vague.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordbreadth/cloud.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/names.h"
#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

struct ModesOptions {
    std::size_t most = 6;  // modes that are looked for, 1 to 8
    // One more mode is accepted where random clouds without it reach its gain in likelihood at most this often.
    double alpha = 0.01;
    std::size_t random_clouds = 99;  // for each number of modes; at least 1 / alpha - 1, or no mode can be accepted
    std::uint64_t seed = 0;
    Execution execution = {};  // threads, progress and stop
};

// What the breadth comes from. In words of the demo's stores the leading principal direction has 16% of the spread, so
// that a quarter between modes is more than any single direction has in a cloud of one mode.
enum class Spread {
    one_mode,       // one mode: uniform use if it is narrow, vague if it is broad
    several_modes,  // several modes with at least a quarter of the spread between them: several senses or uses
    broad_modes,    // several modes, but nearly all of the spread lies within each: vague, with shades
};

[[nodiscard]] constexpr auto names_of(Spread) {
    using enum Spread;
    return std::to_array<Named<Spread>>(
        {{one_mode, "one mode"}, {several_modes, "several modes"}, {broad_modes, "broad modes"}});
}

struct Mode {
    double share = 0;               // of the rows, by responsibility
    std::vector<std::size_t> rows;  // that belong to it rather than to another mode; the most typical first, which are
                                    // nearest to the mode's mean direction
    std::size_t documents = 0;      // that these rows are from; 0 where the cloud has no blocks
    double largest_document = 0;    // the share of these rows that one document has at most
    double mean_cosine = 0;         // between two of its rows, of different documents: R of the mode
    // Breadth from R, and the standard error of its logarithm: comparable between modes of any size. NaN where R is not
    // positive, or there is only one row.
    double v = 0;
    double log_v_standard_error = 0;
};

struct Modes {
    std::size_t n = 0;
    std::size_t d = 0;
    std::vector<Mode> modes;               // the largest share first
    std::vector<double> responsibilities;  // (n, modes): how far each row belongs to each mode; rows sum to 1
    // Of one mode against more: the share of random clouds of one mode and the same shape whose gain is as large. May
    // be small where there is one mode all the same: a skewed cloud, without a valley in it.
    double p = 1;
    std::size_t random_clouds = 0;  // behind p: fewer than asked for where one mode was soon plausible
    std::size_t documents = 0;      // that the rows are from; 0 where the cloud has no blocks
    double mean_cosine = 0;         // between two rows, of different documents where there are several: R of the cloud
    double v = 0;                   // from R
    double within = 0;              // v from the mean R of the modes: the breadth that is left within them
    // The share of the spread that lies between modes, 1 - (mean 1 - R within, weighted by shares) / (1 - R); 0 for one
    // mode. 1 - R is the mean squared distance between two rows, halved.
    double between = 0;
    Spread spread = Spread::one_mode;
};

inline constexpr std::size_t fewest_rows_for_modes = 10;

// The number of modes is chosen by adding one at a time, see src/study/mode_count.h; responsibilities are those of a
// mixture of von Mises-Fisher distributions on the sphere of the mean and the leading principal directions. A mode has
// at least 4 rows and 4% of them, the rows of its largest document (block of the cloud) counted as one, and a third of
// its rows from others; random clouds repeat what rows of a document share: repetition in a document is no mode. Rows
// of a single document count one by one, since nothing tells repetition from use. Depends on the cloud, its name and
// the seed, never on the number of threads. Beyond 400 rows, the number is chosen on a sample of 400. Throws InputError
// when the cloud has fewer than 10 rows or an option is out of range, Cancelled when stopped.
[[nodiscard]] Modes modes(const Cloud& cloud, const ModesOptions& options = {});

// The modes of many clouds, in their order, one cloud per thread at a time.
[[nodiscard]] std::vector<Modes> modes(std::span<const Cloud> clouds, const ModesOptions& options = {});

// A word's modes, or why it has none: too few rows, all rows alike.
struct WordModes {
    std::string word;
    std::optional<Modes> modes;
    std::string reason;
};

// Of words of a store, given by their indices in its words(). Every row of a word is used: more rows show more modes,
// so compare numbers of modes between words of similar size. Throws InputError when the store is damaged or an option
// is out of range, Cancelled when stopped.
[[nodiscard]] std::vector<WordModes> modes(const Store& store, std::span<const std::size_t> words,
                                           const ModesOptions& options = {});

// The breadth (see breadth.h) of a store's median word, over at most 300 words at equal distances in its list: what
// makes a word broad or narrow. NaN where none has a breadth. Throws InputError when the store is damaged, Cancelled
// when stopped.
[[nodiscard]] double typical_breadth(const Store& store, const Execution& execution = {});

// A word's modes and the most typical occurrences of each, one of a document and of copies while there are others.
struct ExplainedWord {
    WordModes found;
    std::uint64_t frequency = 0;
    std::uint64_t rows = 0;
    std::vector<std::vector<ConcordanceLine>> lines;  // one list for each mode
};

struct Explanation {
    std::string folder;
    double typical = 0;  // typical_breadth()
    std::vector<ExplainedWord> words;
    ModesOptions options;
};

// Why words of a store, given by their indices in its words(), are broad, with up to `lines` occurrences of each mode.
// Throws as modes() does.
[[nodiscard]] Explanation explain(const Store& store, std::span<const std::size_t> words, std::size_t lines,
                                  const ModesOptions& options = {});

}  // namespace wordbreadth
