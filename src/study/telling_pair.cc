#include "study/experiment_parts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "geometry/unit_rows.h"
#include "study/many_tests.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"

namespace wordbreadth::study {
namespace {

constexpr std::size_t most_rows = 150;  // of each cloud: the exact method looks at all pairs of points

std::optional<std::size_t> place_of(const Store& store, const std::string& word, std::size_t rows) {
    const auto found = std::ranges::find(store.words(), word, &StoredWord::word);
    if (found == store.words().end() || found->rows < rows) return std::nullopt;
    return static_cast<std::size_t>(found - store.words().begin());
}

// How many times larger p is with alignment. Undefined tests come last.
double change(const TestedPair& pair) {
    const double times = pair.p[1] / pair.p[0];
    return std::isnan(times) ? 0 : times;
}

struct Choice {
    std::size_t x = 0, y = 0;  // in the store's words
    std::string why;
};

Choice chosen(const Store& store, const GapTests& tests) {
    const auto articulate = place_of(store, "articulate", tests.rows), triple = place_of(store, "triple", tests.rows);
    if (articulate && triple) return {*articulate, *triple, "the pair that the paper shows"};
    if (tests.pairs.empty()) throw InputError(store.folder() + ": no pair of words could be tested");
    const TestedPair& pair = *std::ranges::max_element(tests.pairs, {}, change);
    return {store.find(pair.x), store.find(pair.y),
            "of all pairs that were tested, the one whose p alignment raises most (the store lacks the pair that the "
            "paper shows, articulate and triple)"};
}

Cloud shown_cloud(const Store& store, std::size_t word, std::span<const std::size_t> rows) {
    std::optional<Cloud> cloud = cloud_of(store, word, rows);
    if (!cloud) throw InputError(store.folder() + ": all rows of " + store.words()[word].word + " are alike");
    return std::move(*cloud);
}

TestResult tested(const Cloud& x, const Cloud& y, Alignment align, std::uint64_t permutations, std::uint64_t seed,
                  const Execution& execution) {
    TestOptions options;
    options.align = align;
    options.permutations = permutations;
    options.seed = seed;
    options.null_distribution = true;
    options.execution = execution;
    return test(x, y, options);
}

}  // namespace

TellingPair telling_pair(const Store& store, const GapTests& tests, std::uint64_t permutations, std::uint64_t seed,
                         const Execution& execution) {
    const Choice choice = chosen(store, tests);
    const auto rows_of = [&](std::size_t word) {
        return sample_rows(store.words()[word].word, store.words()[word].rows, std::min(tests.rows, most_rows), seed);
    };
    TellingPair pair;
    pair.x = store.words()[choice.x].word;
    pair.y = store.words()[choice.y].word;
    pair.why = choice.why;
    pair.rows_x = rows_of(choice.x);
    pair.rows_y = rows_of(choice.y);
    const Cloud x = shown_cloud(store, choice.x, pair.rows_x), y = shown_cloud(store, choice.y, pair.rows_y);
    pair.none = tested(x, y, Alignment::none, permutations, seed, stage(execution, 0, 0.3));
    pair.householder = tested(x, y, Alignment::householder, permutations, seed, stage(execution, 0.3, 0.6));
    if (x.size() + y.size() < 4) return pair;
    TsneOptions how;
    how.seed = seed;
    pair.before = tsne(geometry::pooled_rows(x, y, {}), x.dimension(), how);
    pair.after = tsne(geometry::pooled_rows(x, y, geometry::mirror(x, y, Alignment::householder)), x.dimension(), how);
    return pair;
}

}  // namespace wordbreadth::study
