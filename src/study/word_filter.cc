#include "study/word_filter.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "base/names.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// A part of the filter: whether it takes a word away, and what it has taken away.
struct Part {
    std::function<bool(const store::StoredWord&)> takes;
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

std::vector<std::string> not_there(const store::CloudStore& store, const WordFilter& filter) {
    std::set<std::string> known;
    for (const store::StoredWord& word : store.words()) known.insert(word.word);
    std::vector<std::string> missing;
    for (const std::string& word : filter.words)
        if (known.insert(word).second) missing.push_back(word);
    return missing;
}

}  // namespace

FilteredWords filtered_words(const store::CloudStore& store, const WordFilter& filter) {
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

std::string text_of(const std::vector<FilteredOut>& out) {
    std::string text;
    for (const FilteredOut& part : out)
        text += (text.empty() ? "" : ", ") + std::to_string(part.words) + " " + part.reason;
    return text;
}

}  // namespace wordbreadth
