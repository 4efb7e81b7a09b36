#include "extraction/missing.h"

#include <algorithm>

#include "base/failure.h"
#include "extraction/words.h"
#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

namespace {

constexpr std::size_t words_listed = 10;

std::string_view short_name(Use use) {
    switch (use) {
        case Use::usable:
            return "usable";
        case Use::truncated:
            return "truncated";
        case Use::several_tokens:
            return "several tokens";
        case Use::unknown:
            return "not in the model's vocabulary";
        case Use::shared_token:
            return "shares a token with its neighbour";
        case Use::no_token:
            return "no token";
    }
    return "";
}

std::uint64_t sum(const WantedWords::Uses& found) {
    std::uint64_t all = 0;
    for (const std::uint64_t count : found) all += count;
    return all;
}

// "several tokens (38 of 40 occurrences)": what most of the occurrences that are not usable have; or nothing.
std::string main_obstacle(const WantedWords::Uses& found) {
    const auto* const most = std::max_element(found.begin() + 1, found.end());
    if (*most == 0) return "";
    const std::uint64_t all = sum(found);
    return std::string(short_name(static_cast<Use>(most - found.begin()))) + " (" + std::to_string(*most) + " of " +
           std::to_string(all) + (all == 1 ? " occurrence)" : " occurrences)");
}

std::string shortage(std::uint64_t usable, const Requirement& needed) {
    return std::to_string(usable) + " usable of " + std::to_string(needed.usable) + " needed";
}

}  // namespace

WantedWords::WantedWords(std::span<const std::string> words, bool cases_differ) : cases_differ_(cases_differ) {
    for (const std::string& word : words) {
        words_.try_emplace(word);
        if (cases_differ) spellings_.try_emplace(lowercase(word));
    }
}

void WantedWords::add(std::string_view type, Use use) {
    if (const auto found = words_.find(type); found != words_.end()) {
        ++found->second[static_cast<std::size_t>(use)];
        return;
    }
    if (!cases_differ_) return;
    const auto spellings = spellings_.find(lowercase(type));
    if (spellings != spellings_.end()) ++spellings->second[std::string(type)];
}

const WantedWords::Uses& WantedWords::uses_of(std::string_view word) const {
    static constexpr Uses none{};
    const auto found = words_.find(word);
    return found == words_.end() ? none : found->second;
}

std::string WantedWords::other_case_of(std::string_view word) const {
    const auto spellings = spellings_.find(lowercase(word));
    if (spellings == spellings_.end()) return "";
    std::string best;
    std::uint64_t most = 0;
    for (const auto& [spelling, count] : spellings->second) {
        if (count < most || (count == most && spelling > best)) continue;
        best = spelling;
        most = count;
    }
    return most > sum(uses_of(word)) ? best : "";
}

std::string reason_for(const WantedWords& wanted, std::string_view word, std::uint64_t usable,
                       const Requirement& needed) {
    const WantedWords::Uses& found = wanted.uses_of(word);
    const std::uint64_t frequency = sum(found);
    const std::string obstacle = main_obstacle(found), other = wanted.other_case_of(word);
    std::string reason;
    if (frequency == 0) {
        reason = "not in the corpus";
    } else if (frequency < needed.usable || obstacle.empty()) {
        reason = "too rare: " + shortage(usable, needed);
        if (!obstacle.empty()) reason += "; " + obstacle;
        if (obstacle.empty() && frequency >= needed.usable)
            reason += ", at most " + std::to_string(needed.per_document) + " from one document";
    } else {
        reason = obstacle + ": " + shortage(usable, needed);
    }
    return other.empty() ? reason : reason + "; other case: did you mean " + base::in_quotes(other) + "?";
}

std::uint64_t kept_by_mean(const WantedWords& wanted, std::span<const store::MissingWord> missing,
                           const Requirement& needed) {
    return static_cast<std::uint64_t>(std::ranges::count_if(missing, [&](const store::MissingWord& word) {
        return word.usable + wanted.uses_of(word.word)[static_cast<std::size_t>(Use::several_tokens)] >= needed.usable;
    }));
}

void fail_all_missing(std::span<const store::MissingWord> missing, std::uint64_t kept_by_mean, ExtractUnit unit) {
    const auto text = [](const auto& word) { return base::in_quotes(word.word) + " (" + word.reason + ")"; };
    std::string list = base::joined(missing.first(std::min(missing.size(), words_listed)), ", ", text);
    if (missing.size() > words_listed) list += " and " + std::to_string(missing.size() - words_listed) + " more";
    const std::string advice = kept_by_mean > 0
                                   ? "take the mean (subwords mean) for words of several tokens, which could keep " +
                                         std::to_string(kept_by_mean)
                                   : "lower the minimum count, or give more text";
    throw InputError(std::string("no ") + (unit == ExtractUnit::text ? "label" : "word") +
                     " of the list can be extracted: " + list + "; " + advice);
}

}  // namespace wordbreadth::extraction
