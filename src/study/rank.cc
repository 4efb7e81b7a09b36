#include "study/rank.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "cpu/workers.h"
#include "engine/backend.h"
#include "engine/monitor.h"
#include "study/cut_clouds.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

const store::StoredWord* smallest_cloud(const std::vector<store::StoredWord>& words) {
    const store::StoredWord* smallest = nullptr;
    for (const store::StoredWord& word : words)
        if (word.rows >= fewest_rows && (smallest == nullptr || word.rows < smallest->rows)) smallest = &word;
    return smallest;
}

// A ranking without its words.
Ranking outline(const store::CloudStore& store, const RankOptions& options) {
    if (options.common_size == 1)
        throw InputError("a common size of 1 has no breadth; expected at least " + std::to_string(fewest_rows));
    Ranking ranking{options.by, options.common_size, {}, options.seed, {}, {}};
    if (options.common_size > 0) return ranking;
    const store::StoredWord* smallest = smallest_cloud(store.words());
    if (smallest == nullptr)
        throw InputError(store.folder() + ": no word has the 2 rows that breadth needs; extract more rows a word");
    ranking.common_size = smallest->rows;
    ranking.smallest = smallest->word;
    return ranking;
}

// What became of one word: a breadth, or a reason for having none.
struct Outcome {
    std::optional<Breadth> breadth;
    std::string reason;
};

Outcome outcome_of(const store::CloudStore& store, std::size_t index, const Ranking& ranking) {
    CutCloud cut = cut_cloud({&store, index, ranking.common_size}, ranking.seed);
    if (!cut.cloud) return {{}, std::move(cut.reason)};
    try {
        return {breadth(*cut.cloud), {}};
    } catch (const InputError& error) {
        return {{}, error.what()};
    }
}

std::vector<Outcome> outcomes(const store::CloudStore& store, const Ranking& ranking, const Execution& execution) {
    std::vector<Outcome> found(store.words().size());
    Monitor monitor(static_cast<double>(found.size()), execution.progress, execution.stop);
    Workers workers(static_cast<unsigned>(std::min<std::size_t>(thread_count(execution), found.size())));
    workers.run(found.size(), [&](std::size_t index, std::size_t) {
        monitor.check();
        found[index] = outcome_of(store, index, ranking);
        monitor.advance(1);
    });
    return found;
}

[[noreturn]] void fail_empty(const store::CloudStore& store, const Ranking& ranking) {
    std::vector<std::size_t> all(store.words().size());
    std::iota(all.begin(), all.end(), 0);
    throw InputError(store.folder() + ": no word has a cloud of " + std::to_string(ranking.common_size) +
                     " rows that can be ranked: first: " + ranking.left_out.front().word + " " +
                     ranking.left_out.front().reason + advice_for_fewer_rows(store, all, ranking.common_size));
}

void sort(Ranking& ranking) {
    const auto by_breadth = [](const RankedWord& a, const RankedWord& b) { return a.breadth.v > b.breadth.v; };
    const auto by_frequency = [](const RankedWord& a, const RankedWord& b) { return a.frequency > b.frequency; };
    if (ranking.by == RankBy::breadth)
        std::ranges::stable_sort(ranking.words, by_breadth);
    else
        std::ranges::stable_sort(ranking.words, by_frequency);
}

}  // namespace

Ranking rank(const store::CloudStore& store, const RankOptions& options) {
    Ranking ranking = outline(store, options);
    std::vector<Outcome> found = outcomes(store, ranking, options.execution);
    for (std::size_t index = 0; index < found.size(); ++index) {
        const store::StoredWord& word = store.words()[index];
        auto& [breadth, reason] = found[index];
        if (breadth)
            ranking.words.push_back({word.word, word.frequency, word.rows, *breadth});
        else
            ranking.left_out.push_back({word.word, word.frequency, word.rows, std::move(reason)});
    }
    if (ranking.words.empty()) fail_empty(store, ranking);
    sort(ranking);
    return ranking;
}

}  // namespace wordbreadth
