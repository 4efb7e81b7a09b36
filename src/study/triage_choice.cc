#include "study/triage_choice.h"

#include <algorithm>
#include <optional>
#include <set>

#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// The place of a word in the store's words, which are in byte order.
std::optional<std::size_t> place_of(const store::CloudStore& store, const std::string& word) {
    const auto found = std::ranges::lower_bound(store.words(), word, {}, &store::StoredWord::word);
    if (found == store.words().end() || found->word != word) return std::nullopt;
    return static_cast<std::size_t>(found - store.words().begin());
}

std::string described(const LeftOut& missing) {
    return missing.reason.empty() ? missing.word : missing.word + " (" + missing.reason + ")";
}

void find_references(TriageChoice& choice, const store::CloudStore& store, const TriageWords& words) {
    std::set<std::string> seen;
    for (const std::string& word : words.references) {
        if (!seen.insert(word).second) continue;
        if (const auto place = place_of(store, word))
            choice.references.push_back(*place);
        else
            choice.missing.push_back({word, store.why_missing(word)});
    }
    if (choice.references.empty())
        throw InputError(words.references_from + ": none of its " + std::to_string(seen.size()) +
                         " reference words is in " + store.folder() +
                         (seen.empty() ? "" : ": first: " + described(choice.missing.front())) +
                         "; `wordbreadth rank` lists the words of a store");
}

[[noreturn]] void fail_without_candidates(const TriageChoice& choice, const store::CloudStore& store,
                                          const TriageWords& words) {
    if (words.candidates.empty())
        throw InputError(store.folder() + ": every word of it is a reference; there is nothing to triage");
    throw InputError(words.candidates_from + ": none of its " + std::to_string(words.candidates.size()) +
                     " words is a candidate: first: " + choice.left_out.front().word + " " +
                     choice.left_out.front().reason);
}

void find_candidates(TriageChoice& choice, const store::CloudStore& store, const TriageWords& words) {
    const std::set<std::size_t> references(choice.references.begin(), choice.references.end());
    std::set<std::size_t> chosen;
    for (const std::string& word : words.candidates) {
        const auto place = place_of(store, word);
        if (!place)
            choice.left_out.push_back({word, "is not in the store"});
        else if (references.contains(*place))
            choice.left_out.push_back({word, "is a reference"});
        else
            chosen.insert(*place);
    }
    for (std::size_t i = 0; words.candidates.empty() && i < store.words().size(); ++i)
        if (!references.contains(i)) chosen.insert(i);
    choice.candidates.assign(chosen.begin(), chosen.end());
    if (choice.candidates.empty()) fail_without_candidates(choice, store, words);
}

}  // namespace

TriageChoice choose_words(const store::CloudStore& store, const TriageWords& words) {
    TriageChoice choice;
    find_references(choice, store, words);
    find_candidates(choice, store, words);
    return choice;
}

}  // namespace wordbreadth
