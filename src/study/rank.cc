#include "study/rank.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/monitor.h"
#include "base/workers.h"
#include "engine/backend.h"
#include "study/cut_clouds.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

const store::StoredWord* smallest_cloud(const store::CloudStore& store, const std::vector<std::size_t>& places) {
    const store::StoredWord* smallest = nullptr;
    for (const std::size_t place : places) {
        const store::StoredWord& word = store.words()[place];
        if (word.rows >= fewest_rows && (smallest == nullptr || word.rows < smallest->rows)) smallest = &word;
    }
    return smallest;
}

// A ranking without its words.
Ranking outline(const store::CloudStore& store, const std::vector<std::size_t>& places, const RankOptions& options) {
    if (options.common_size == 1)
        throw InputError("a common size of 1 has no breadth; expected at least " + std::to_string(fewest_rows));
    Ranking ranking{options.by, options.common_size, {}, options.seed, {}, {}, {}};
    if (options.common_size > 0) return ranking;
    const store::StoredWord* smallest = smallest_cloud(store, places);
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

std::vector<Outcome> outcomes(const store::CloudStore& store, const std::vector<std::size_t>& places,
                              const Ranking& ranking, const Execution& execution) {
    std::vector<Outcome> found(places.size());
    base::Monitor monitor(static_cast<double>(found.size()), execution.progress, execution.stop);
    base::Workers workers(static_cast<unsigned>(std::min<std::size_t>(engine::thread_count(execution), found.size())));
    workers.run(found.size(), [&](std::size_t i, std::size_t) {
        monitor.check();
        found[i] = outcome_of(store, places[i], ranking);
        monitor.advance(1);
    });
    return found;
}

[[noreturn]] void fail_without_words(const store::CloudStore& store, const std::vector<std::size_t>& places,
                                     const Ranking& ranking) {
    const UnrankedWord& first = ranking.left_out.front();
    throw InputError(
        store.folder() + ": no word has a cloud of " + std::to_string(ranking.common_size) +
        " rows that can be ranked: first: " + (first.reason.starts_with(first.word) ? "" : first.word + " ") +
        first.reason + advice_for_fewer_rows(store, places, ranking.common_size));
}

void add_missing(Ranking& ranking, const store::CloudStore& store, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        const std::string why = store.why_missing(word);
        ranking.left_out.push_back({word, 0, 0, "is not in the store" + (why.empty() ? "" : ": " + why)});
    }
    std::ranges::sort(ranking.left_out, {}, &UnrankedWord::word);
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
    FilteredWords words = filtered_words(store, options.filter);
    Ranking ranking = outline(store, words.kept, options);
    ranking.filtered = std::move(words.out);
    std::vector<Outcome> found = outcomes(store, words.kept, ranking, options.execution);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const store::StoredWord& word = store.words()[words.kept[i]];
        auto& [breadth, reason] = found[i];
        if (breadth)
            ranking.words.push_back({word.word, word.frequency, word.rows, *breadth});
        else
            ranking.left_out.push_back({word.word, word.frequency, word.rows, std::move(reason)});
    }
    if (ranking.words.empty()) fail_without_words(store, words.kept, ranking);
    add_missing(ranking, store, words.not_there);
    sort(ranking);
    return ranking;
}

Neighbourhood neighbourhood(const Ranking& ranking, const std::vector<std::string>& words, std::size_t distance) {
    Neighbourhood found;
    for (const std::string& word : words) {
        const auto place = std::ranges::find(ranking.words, word, &RankedWord::word);
        if (place == ranking.words.end()) {
            const auto out = std::ranges::find(ranking.left_out, word, &UnrankedWord::word);
            throw InputError(word +
                             " has no rank: " + (out == ranking.left_out.end() ? "it is filtered out" : out->reason));
        }
        const auto rank = static_cast<std::size_t>(place - ranking.words.begin());
        found.named.push_back(rank);
        const std::size_t last = rank + std::min(distance, ranking.words.size() - 1 - rank);
        for (std::size_t i = rank - std::min(rank, distance); i <= last; ++i) found.shown.push_back(i);
    }
    for (auto* list : {&found.shown, &found.named}) {
        std::ranges::sort(*list);
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return found;
}

}  // namespace wordbreadth
