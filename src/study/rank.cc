#include "wordbreadth/rank.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "base/names.h"
#include "base/strings.h"
#include "base/workers.h"
#include "engine/backend.h"
#include "geometry/concentration.h"
#include "permutation/distributions.h"
#include "study/many_tests.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"
#include "wordbreadth/modes.h"

namespace wordbreadth {
namespace {

// A part of the filter: whether it takes a word away, and what it has taken away.
struct Part {
    std::function<bool(const StoredWord&)> takes;
    FilteredOut out;
};

std::vector<Part> parts_of(const WordFilter& filter) {
    std::vector<Part> parts;
    if (!filter.words.empty())
        parts.push_back({[wanted = std::set(filter.words.begin(), filter.words.end())](const auto& word) {
                             return !wanted.contains(word.word);
                         },
                         {"not asked for", 0}});
    if (filter.min_frequency > 0)
        parts.push_back({[&filter](const auto& word) { return word.frequency < filter.min_frequency; },
                         {"rarer than " + std::to_string(filter.min_frequency), 0}});
    if (filter.max_frequency < std::numeric_limits<std::uint64_t>::max())
        parts.push_back({[&filter](const auto& word) { return word.frequency > filter.max_frequency; },
                         {"more frequent than " + std::to_string(filter.max_frequency), 0}});
    if (!filter.stop_words.empty()) {
        std::set<std::string> stop;
        for (const std::string& word : filter.stop_words) stop.insert(base::case_fold(word));
        parts.push_back(
            {[stop = std::move(stop)](const auto& word) { return stop.contains(base::case_fold(word.word)); },
             {"stop words", 0}});
    }
    return parts;
}

std::vector<std::string> not_there(const Store& store, const WordFilter& filter) {
    std::set<std::string> known;
    for (const StoredWord& word : store.words()) known.insert(word.word);
    std::vector<std::string> missing;
    for (const std::string& word : filter.words)
        if (known.insert(word).second) missing.push_back(word);
    return missing;
}

struct FilteredWords {
    std::vector<std::size_t> kept;       // indices into the store's words, ascending
    std::vector<FilteredOut> out;        // parts that removed no word are not listed
    std::vector<std::string> not_there;  // asked for, but not in the store; as listed
};

FilteredWords filtered_words(const Store& store, const WordFilter& filter) {
    std::vector<Part> parts = parts_of(filter);
    FilteredWords found;
    for (std::size_t i = 0; i < store.words().size(); ++i) {
        const auto taker = std::ranges::find_if(parts, [&](const Part& part) { return part.takes(store.words()[i]); });
        if (taker == parts.end())
            found.kept.push_back(i);
        else
            ++taker->out.words;
    }
    for (Part& part : parts)
        if (part.out.words > 0) found.out.push_back(std::move(part.out));
    found.not_there = not_there(store, filter);
    if (!found.kept.empty()) return found;
    std::string first = found.not_there.empty() ? "" : "; " + found.not_there.front() + " is not in it";
    if (const std::string why = first.empty() ? "" : store.why_missing(found.not_there.front()); !why.empty())
        first += " (" + why + ")";
    throw InputError(store.folder() + ": none of its " + std::to_string(store.words().size()) +
                     " words is left to rank: " + text_of(found.out) + first);
}

// What became of one word: a breadth, or a reason for having none.
struct Outcome {
    std::optional<Breadth> breadth;
    std::string reason;
};

// Why a cloud has no breadth.
std::string without_breadth(const Breadth& found) {
    if (found.blocks == 1) return "has rows of one document only";
    return std::string("has a mean cosine between rows") + (found.blocks > 1 ? " of different documents" : "") +
           " that is not positive, like a uniform cloud";
}

// The breadth of all rows, beside what there is of fewer.
void take_breadth(Breadth& found, const Breadth& of_all) {
    found.breadth = of_all.breadth;
    found.log_v_standard_error = of_all.log_v_standard_error;
    found.v_standard_error = of_all.v_standard_error;
    found.blocks = of_all.blocks;
    found.design_effect = of_all.design_effect;
}

Outcome outcome_of(const Store& store, std::size_t index, const Ranking& ranking, const RankOptions& options) {
    const auto measured = [&](const Cloud& cloud) {
        return geometry::breadth_of(cloud, geometry::summarise(cloud, options.documents));
    };
    study::CutCloud cut = study::cut_cloud({&store, index, ranking.common_size}, ranking.seed);
    if (!cut.cloud) return {{}, std::move(cut.reason)};
    Breadth found = measured(*cut.cloud);
    if (const std::uint64_t rows = store.words()[index].rows; ranking.whole && rows > ranking.common_size) {
        study::CutCloud whole = study::cut_cloud({&store, index, rows}, ranking.seed);
        if (!whole.cloud) return {{}, std::move(whole.reason)};
        take_breadth(found, measured(*whole.cloud));
    }
    if (options.by == RankBy::breadth && !(found.breadth > 0)) return {{}, without_breadth(found)};
    return {found, {}};
}

std::vector<Outcome> outcomes(const Store& store, const std::vector<std::size_t>& places, const Ranking& ranking,
                              const RankOptions& options, const Execution& execution) {
    const Timing::Stage measuring(execution.timing, "breadths and errors");
    std::vector<Outcome> found(places.size());
    base::Monitor monitor(static_cast<double>(found.size()), execution.progress, execution.stop);
    base::Workers workers(static_cast<unsigned>(std::min<std::size_t>(engine::thread_count(execution), found.size())));
    workers.run(found.size(), [&](std::size_t i, std::size_t) {
        monitor.check();
        found[i] = outcome_of(store, places[i], ranking, options);
        monitor.advance(1);
    });
    return found;
}

[[noreturn]] void fail_without_words(const Store& store, const std::vector<std::size_t>& places,
                                     const Ranking& ranking) {
    const UnrankedWord& first = ranking.left_out.front();
    throw InputError(
        store.folder() + ": no word has a cloud of " + std::to_string(ranking.common_size) +
        " rows that can be ranked: first: " + (first.reason.starts_with(first.word) ? "" : first.word + " ") +
        first.reason + study::advice_for_fewer_rows(store, places, ranking.common_size));
}

void add_duplicates(Ranking& ranking, const Store& store) {
    if (store.setting("deduplicate").empty()) return;
    for (RankedWord& word : ranking.words) {
        const auto found = std::ranges::lower_bound(store.words(), word.word, {}, &StoredWord::word);
        word.duplicates = found->exact_copies + found->near_copies;
    }
}

void add_missing(Ranking& ranking, const Store& store, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        const std::string why = store.why_missing(word);
        ranking.left_out.push_back({word, 0, 0, "is not in the store" + (why.empty() ? "" : ": " + why)});
    }
    std::ranges::sort(ranking.left_out, {}, &UnrankedWord::word);
}

// Degrees of freedom of its standard error.
double freedom_of(const RankedWord& word, const Ranking& ranking) {
    const std::size_t rows = ranking.whole ? word.rows : word.breadth.n;
    return static_cast<double>(word.breadth.blocks > 0 ? word.breadth.blocks : rows) - 1;
}

bool has_standard_error(const RankedWord& word) {
    return std::isfinite(word.breadth.log_v_standard_error);
}

// Intervals for the breadths, and what they are given the frequencies.
void add_intervals(Ranking& ranking) {
    constexpr double tail = 0.975;
    const double normal = permutation::normal_quantile(tail);
    std::map<double, double> quantiles;  // by degrees of freedom, which many words share
    const auto student = [&](double freedom) {
        const auto [place, is_new] = quantiles.try_emplace(freedom);
        if (is_new) place->second = permutation::student_quantile(tail, freedom);
        return place->second;
    };
    std::vector<double> log_breadths, errors, frequencies;
    for (RankedWord& word : ranking.words) {
        const double se = word.breadth.log_v_standard_error;
        const double reach = has_standard_error(word) ? se * student(freedom_of(word, ranking)) : se;
        log_breadths.push_back(std::log(word.breadth.breadth));
        errors.push_back(reach / normal);
        frequencies.push_back(static_cast<double>(word.frequency));
        word.breadth_low = word.breadth.breadth * std::exp(-reach);
        word.breadth_high = word.breadth.breadth * std::exp(reach);
    }
    const std::vector<FrequencyResidual> residuals = breadth_given_frequency(log_breadths, errors, frequencies);
    for (std::size_t i = 0; i < residuals.size(); ++i) ranking.words[i].given_frequency = residuals[i];
}

void add_rank_intervals(Ranking& ranking, const Execution& execution) {
    const Timing::Stage comparing(execution.timing, "intervals of ranks");
    std::vector<RankedEstimate> estimates;
    for (const RankedWord& word : ranking.words)
        estimates.push_back({std::log(word.breadth.breadth), word.breadth.log_v_standard_error,
                             has_standard_error(word) ? freedom_of(word, ranking) : 1});
    const RankIntervals found = rank_intervals(estimates, {.seed = ranking.seed, .execution = execution});
    for (std::size_t i = 0; i < found.of.size(); ++i) ranking.words[i].ranks = found.of[i];
    ranking.groups = found.groups;
}

void add_modes(Ranking& ranking, const Store& store, const Execution& execution) {
    std::vector<std::size_t> places;
    for (const RankedWord& word : ranking.words) places.push_back(store.find(word.word));
    ModesOptions options;
    options.seed = ranking.seed;
    options.execution = execution;
    const std::vector<WordModes> found = modes(store, places, options);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].modes) ranking.words[i].modes = {found[i].modes->modes.size(), found[i].modes->between};
    ranking.modes = true;
}

void sort(Ranking& ranking) {
    const auto by = [&](auto key) { std::ranges::stable_sort(ranking.words, std::greater<>(), key); };
    if (ranking.by == RankBy::breadth) by([](const RankedWord& word) { return word.breadth.breadth; });
    if (ranking.by == RankBy::v) by([](const RankedWord& word) { return word.breadth.v; });
    if (ranking.by == RankBy::frequency) by(&RankedWord::frequency);
}

}  // namespace

std::string text_of(const std::vector<FilteredOut>& out) {
    return base::joined(out, ", ",
                        [](const FilteredOut& part) { return std::to_string(part.words) + " " + part.reason; });
}

Ranking rank(const Store& store, const RankOptions& options) {
    FilteredWords words = filtered_words(store, options.filter);
    study::CommonSize size = study::common_size(store, words.kept, options.common_size, study::fewest_rows, "breadth");
    Ranking ranking{options.by, size.rows, std::move(size.smallest), options.seed, {}, {}, std::move(words.out)};
    ranking.whole = options.common_size == 0;
    const bool with_intervals = options.by == RankBy::breadth;
    // Shares of the progress: modes take nearly all of the time, intervals of ranks about half of the rest.
    const double breadths = with_intervals ? 0.5 : 1, rest = options.modes ? 0.1 : 1;
    std::vector<Outcome> found =
        outcomes(store, words.kept, ranking, options, study::stage(options.execution, 0, breadths * rest));
    for (std::size_t i = 0; i < found.size(); ++i) {
        const StoredWord& word = store.words()[words.kept[i]];
        auto& [breadth, reason] = found[i];
        if (breadth)
            ranking.words.push_back({word.word, word.frequency, word.rows, *breadth});
        else
            ranking.left_out.push_back({word.word, word.frequency, word.rows, std::move(reason)});
    }
    if (ranking.words.empty()) fail_without_words(store, words.kept, ranking);
    add_duplicates(ranking, store);
    add_missing(ranking, store, words.not_there);
    sort(ranking);
    ranking.documents =
        std::ranges::any_of(ranking.words, [](const RankedWord& word) { return word.breadth.blocks > 0; });
    add_intervals(ranking);
    if (with_intervals) add_rank_intervals(ranking, study::stage(options.execution, breadths * rest, rest));
    if (options.modes) add_modes(ranking, store, study::stage(options.execution, rest, 1));
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

std::span<const std::string_view> english_stop_words() {
    static constexpr std::string_view words[] = {
        "a",          "about",   "above",    "across",   "after",     "again",    "against",    "all",
        "along",      "also",    "although", "am",       "among",     "an",       "and",        "another",
        "any",        "anybody", "anyone",   "anything", "are",       "aren't",   "around",     "as",
        "at",         "be",      "because",  "been",     "before",    "behind",   "being",      "below",
        "beneath",    "beside",  "besides",  "between",  "beyond",    "both",     "but",        "by",
        "can",        "can't",   "cannot",   "could",    "couldn't",  "d",        "did",        "didn't",
        "do",         "does",    "doesn't",  "doing",    "don't",     "down",     "during",     "each",
        "either",     "even",    "ever",     "every",    "everybody", "everyone", "everything", "except",
        "few",        "for",     "from",     "had",      "hadn't",    "has",      "hasn't",     "have",
        "haven't",    "having",  "he",       "he'd",     "he'll",     "he's",     "her",        "here",
        "hers",       "herself", "him",      "himself",  "his",       "how",      "i",          "i'd",
        "i'll",       "i'm",     "i've",     "if",       "in",        "inside",   "into",       "is",
        "isn't",      "it",      "it'll",    "it's",     "its",       "itself",   "just",       "let's",
        "like",       "ll",      "m",        "many",     "may",       "me",       "might",      "mine",
        "more",       "most",    "much",     "must",     "mustn't",   "my",       "myself",     "n't",
        "near",       "neither", "never",    "no",       "nobody",    "none",     "nor",        "not",
        "nothing",    "now",     "of",       "off",      "on",        "one",      "ones",       "only",
        "onto",       "or",      "other",    "ought",    "our",       "ours",     "ourselves",  "out",
        "outside",    "over",    "past",     "per",      "quite",     "rather",   "re",         "s",
        "shall",      "she",     "she'd",    "she'll",   "she's",     "should",   "shouldn't",  "since",
        "so",         "some",    "somebody", "someone",  "something", "still",    "such",       "t",
        "than",       "that",    "that's",   "the",      "thee",      "their",    "theirs",     "them",
        "themselves", "then",    "there",    "there's",  "these",     "they",     "they'd",     "they'll",
        "they're",    "they've", "thine",    "this",     "those",     "thou",     "though",     "through",
        "throughout", "thy",     "till",     "to",       "too",       "toward",   "towards",    "under",
        "unless",     "until",   "unto",     "up",       "upon",      "us",       "ve",         "very",
        "via",        "was",     "wasn't",   "we",       "we'd",      "we'll",    "we're",      "we've",
        "were",       "weren't", "what",     "what's",   "when",      "where",    "whereas",    "whether",
        "which",      "while",   "who",      "who's",    "whom",      "whose",    "why",        "will",
        "with",       "within",  "without",  "won't",    "would",     "wouldn't", "ye",         "yet",
        "you",        "you'd",   "you'll",   "you're",   "you've",    "your",     "yours",      "yourself",
        "yourselves",
    };
    return words;
}

}  // namespace wordbreadth
