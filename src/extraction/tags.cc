#include "extraction/tags.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "corpus/selection.h"
#include "extraction/words.h"

namespace wordbreadth::extraction {

namespace {

constexpr std::size_t tags_listed = 10;

// Whether one is the other or its beginning, whatever the case: "noun" for "NOUN", "N" for "noun".
bool is_close(std::string_view a, std::string_view b) {
    const std::string lower_a = lowercase(a), lower_b = lowercase(b);
    return lower_a.starts_with(lower_b) || lower_b.starts_with(lower_a);
}

std::vector<std::string> suggestions(std::span<const std::string> unknown, std::span<const std::string> tags) {
    std::vector<std::string> close;
    for (const std::string& wanted : unknown) {
        const auto found = std::ranges::find_if(tags, [&](const auto& tag) { return is_close(wanted, tag); });
        if (found != tags.end() && std::ranges::find(close, *found) == close.end()) close.push_back(*found);
    }
    return close;
}

}  // namespace

void TagCounts::add(std::string_view tag) {
    if (tag.empty()) return;
    auto found = counts_.find(tag);
    if (found == counts_.end()) found = counts_.try_emplace(std::string(tag)).first;
    ++found->second;
}

void TagCounts::add(const corpus::Sentence& sentence) {
    if (sentence.usage) return add(sentence.usage->part_of_speech);
    for (const corpus::Word& word : sentence.words) add(word.part_of_speech);
}

std::vector<std::string> TagCounts::unknown(std::span<const std::string> wanted) const {
    std::vector<std::string> unknown;
    for (const std::string& tag : wanted) {
        const auto is_it = [&](const auto& entry) { return corpus::is_part_of_speech(entry.first, tag); };
        if (std::ranges::none_of(counts_, is_it)) unknown.push_back(tag);
    }
    return unknown;
}

std::vector<std::string> TagCounts::most_frequent_first() const {
    std::vector<std::pair<std::uint64_t, std::string>> sorted;
    for (const auto& [tag, count] : counts_) sorted.emplace_back(UINT64_MAX - count, tag);
    std::ranges::sort(sorted);
    std::vector<std::string> tags;
    for (auto& [rank, tag] : sorted) tags.push_back(std::move(tag));
    return tags;
}

std::string TagCounts::message(const std::vector<std::string>& unknown) const {
    const bool one = unknown.size() == 1;
    const std::vector<std::string> tags = most_frequent_first();
    std::string text = (one ? "part of speech " : "parts of speech ") + base::listed(unknown, tags_listed) +
                       ": no word of the corpus has " + (one ? "it; " : "them; ");
    if (tags.empty()) return text + "its words have none at all";
    const std::vector<std::string> close = suggestions(unknown, tags);
    if (!close.empty()) text += "did you mean " + base::listed(close, tags_listed) + "? ";
    return text + "its tags, the most frequent first: " + base::listed(tags, tags_listed);
}

}  // namespace wordbreadth::extraction
