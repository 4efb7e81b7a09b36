#include "store/missing_word.h"

#include <algorithm>

#include "base/failure.h"
#include "base/names.h"

namespace wordbreadth::store {

namespace {

std::vector<std::string> spellings(const Plan& plan) {
    std::vector<std::string> names;
    names.reserve(plan.words().size());
    for (const StoredWord& word : plan.words()) names.push_back(word.word);
    return names;
}

// "" where the word was not asked for when the store was made.
std::string recorded(Plan& plan, const std::string& word) {
    const std::vector<MissingWord> missing = plan.missing();
    const auto found = std::ranges::find(missing, word, &MissingWord::word);
    return found == missing.end() ? std::string() : found->reason;
}

std::string suggested(Plan& plan, const std::string& word) {
    const std::vector<std::string> close = base::close_names(word, spellings(plan));
    if (close.empty()) return {};
    const bool other_case = plan.setting("case") == "lower" && base::case_fold(close.front()) == base::case_fold(word);
    return (other_case ? "its words are in lower case: " : "") + base::suggestion(close);
}

// Which words are in the store at all; "" where it has no such settings.
std::string rule(Plan& plan) {
    const std::string fewest = plan.setting("min count"), list = plan.setting("words");
    if (fewest.empty()) return {};
    if (plan.setting("unit") == "text") return "labels with fewer than " + fewest + " usable texts are not in it";
    std::string text = "words with fewer than " + fewest + " usable occurrences are not in it";
    if (plan.setting("subwords") == "single") text += ", nor are words of several tokens";
    if (list.starts_with("a list")) text += "; it was made for " + list.substr(0, list.find(',')) + " words";
    return text;
}

}  // namespace

std::string why_missing(Plan& plan, const std::string& word) {
    std::string reason = recorded(plan, word);
    return reason.empty() ? suggested(plan, word) : reason;
}

void fail_missing_word(Plan& plan, const std::string& word) {
    const std::string reason = why_missing(plan, word), decides = rule(plan);
    std::string text = reason;
    if (text.empty())
        text = decides.empty() ? base::holdings(spellings(plan)) : decides;
    else if (text.ends_with('?') && !decides.empty())
        text += " (" + decides + ")";
    base::fail(plan.folder(), "has no word " + base::in_quotes(word) + "; " + text);
}

}  // namespace wordbreadth::store
