// The occurrences behind a cloud: each in its sentence, with what it adds to the word's breadth.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wordbreadth/cloud.h"
#include "wordbreadth/names.h"
#include "wordbreadth/store.h"

namespace wordbreadth {

struct ConcordanceLine {
    Occurrence occurrence;
    double influence = 0;  // see influences(), within the whole cloud; NaN in a cloud without breadth
};

enum class ConcordanceOrder {
    corpus,     // that of the corpus
    left,       // by the words to the left, the nearest first
    right,      // by the words to the right
    influence,  // those that make the word broadest first
    spread,     // far from each other: a few that stand for all, where a sample would repeat what is common
};

[[nodiscard]] constexpr auto names_of(ConcordanceOrder) {
    using enum ConcordanceOrder;
    return std::to_array<Named<ConcordanceOrder>>(
        {{corpus, "corpus"}, {left, "left"}, {right, "right"}, {influence, "influence"}, {spread, "spread"}});
}

struct ConcordanceOptions {
    ConcordanceOrder order = ConcordanceOrder::corpus;
    std::size_t count = 0;   // lines; 0: all
    std::uint64_t seed = 0;  // of the sample, where there are more; of the first line, for `spread`
};

// The occurrences of a word, in order. Fewer than all are a seeded sample, but for `influence` and `spread`, where they
// are the first of that order. Words are compared without case and punctuation; each character of a script without
// spaces (Chinese, Japanese, Thai) counts as a word. `spread` is farthest-point sampling by cosine; a cloud without
// breadth gives a plain sample. Throws InputError when the store has no such word, or is damaged.
[[nodiscard]] std::vector<ConcordanceLine> concordance(const Store& store, const std::string& word,
                                                       const ConcordanceOptions& options = {});

// The occurrences behind these rows, in their order. Throws as above, and when the word has no such row.
[[nodiscard]] std::vector<ConcordanceLine> concordance_of_rows(const Store& store, const std::string& word,
                                                               std::span<const std::size_t> rows);

// For each row, log v(all rows) - log v(all but this one): above 0 for an occurrence that makes the word broader.
// Infinite where the others are all alike, as always in a cloud of 2.
[[nodiscard]] std::vector<double> influences(const Cloud& cloud);

// The parts of a sentence: what is left of the word, the word as it stands there, what is right of it.
struct Context {
    std::string left, node, right;
};

// Positions past the end of the text count as its end.
[[nodiscard]] Context context_of(const Occurrence& occurrence);

}  // namespace wordbreadth
