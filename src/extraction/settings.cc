#include "extraction/settings.h"

#include <unicode/uversion.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <span>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "base/sha256.h"
#include "corpus/decoder.h"
#include "cuda/gpu_names.h"
#include "encoder/cpu/product.h"
#include "extraction/copies.h"
#include "wordbreadth/error.h"
#include "wordbreadth/names.h"

namespace wordbreadth::extraction {

namespace {

std::string words_text(const ExtractOptions& options) {
    if (options.words.empty()) return "all";
    const std::vector<std::string> words = wanted_words(options);
    const std::string list = base::joined(words, "\n");
    return "a list of " + std::to_string(words.size()) + ", sha256 " + base::sha256_of(std::as_bytes(std::span(list)));
}

std::string limit_text(std::uint64_t limit) {
    return limit == 0 ? "all" : std::to_string(limit);
}

// What is empty was the one way before there were others; plans of that time do not say.
std::string encoding_text(const ExtractOptions& options) {
    std::string encoding = corpus::encoding_named(options.encoding);
    return encoding == corpus::utf_8 ? "" : encoding;
}

std::string invalid_text(const ExtractOptions& options) {
    return options.invalid == InvalidBytes::error ? "" : std::string(name_of(options.invalid));
}

std::string deduplicate_text(const ExtractOptions& options) {
    const Deduplicate deduplicate = deduplicate_of(options);
    if (deduplicate == Deduplicate::none) return "";
    return std::string(deduplicate == Deduplicate::near ? near_text : name_of(deduplicate));
}

std::string sample_text(const ExtractOptions& options) {
    return options.sample == SampleBy::rows ? "" : std::string(name_of(options.sample));
}

bool states(const ExtractOptions& options, const std::string& name) {
    if (name == "deduplicate") return options.deduplicate.has_value();
    if (name == "layers") return !options.layers.empty();
    if (name == "shard tokens") return options.shard_tokens > 0;
    if (name == "device") return options.device != "auto";
    if (name == "number type") return options.precision != Precision::automatic;
    // The plan says all that ICU has a part in, and a model is known by its hash, which needs the model.
    if (name == "model" || name == "model sha256" || name == "ICU") return false;
    return !options.corpus.empty() || std::ranges::find(options.stated, name) != options.stated.end();
}

// The options with those others in place that decide how a list of words is read.
ExtractOptions with_case_of(store::Plan& plan, ExtractOptions options) {
    if (!states(options, "unit"))
        options.unit = choice_named<ExtractUnit>(plan.setting("unit")).value_or(ExtractUnit::word);
    if (!states(options, "case"))
        options.letter_case = choice_named<LetterCase>(plan.setting("case")).value_or(LetterCase::lower);
    return options;
}

bool is_same(store::Plan& plan, const std::string& name, const std::string& stated) {
    const std::string planned = plan.setting(name);
    if (planned == stated) return true;
    if (name == "mecab dictionary") return resolved(planned) == stated;  // older plans have it as it was given
    // The plan has what is really used.
    return name == "number type" && planned == "f32" && stated == "bf16" && plan.setting("device") == "cpu" &&
           !encoder::cpu::has_bf16();
}

[[noreturn]] void fail_other(store::Plan& plan, const std::string& name, const std::string& stated) {
    const auto shown = [&](const std::string& value) {
        if (value.empty() && name == "deduplicate") return base::in_quotes("none");
        return base::in_quotes(value.empty() && name == "sample" ? "rows" : value);
    };
    base::fail(plan.folder(), "was planned with " + (name == "number type" ? "precision" : name) + " " +
                                  shown(plan.setting(name)) + "; this call says " + shown(stated) +
                                  ": resume it with the same, or extract again into another folder");
}

constexpr std::size_t words_listed = 10;

std::uint64_t sum(const WantedWords::Uses& found) {
    return std::accumulate(found.begin(), found.end(), std::uint64_t{0});
}

// "several tokens (38 of 40 occurrences)": what most of the occurrences that are not usable have; or nothing.
std::string main_obstacle(const WantedWords::Uses& found) {
    const auto* const most = std::max_element(found.begin() + 1, found.end());
    if (*most == 0) return "";
    const std::uint64_t all = sum(found);
    return std::string(reason_of(static_cast<Use>(most - found.begin())).brief) + " (" + std::to_string(*most) +
           " of " + base::count_of(all, "occurrence") + ")";
}

std::string shortage(std::uint64_t usable, const Requirement& needed) {
    return std::to_string(usable) + " usable of " + std::to_string(needed.usable) + " needed";
}

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

bool cases_differ(const ExtractOptions& options) {
    return options.letter_case == LetterCase::keep || options.unit == ExtractUnit::text;
}

std::vector<std::string> wanted_words(const ExtractOptions& options) {
    std::vector<std::string> words = options.words;
    if (!cases_differ(options)) std::ranges::transform(words, words.begin(), lowercase);
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

std::string resolved(const std::string& path) {
    std::error_code error;
    if (path.empty()) return path;
    std::string whole = std::filesystem::absolute(path, error).lexically_normal().string();
    if (error) return path;
    while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
    return whole;
}

Settings settings_of(const ExtractOptions& options, const ModelRecord& model) {
    return {{"corpus", base::joined(options.corpus, "\n")},
            {"corpus format", options.corpus_format},
            {"encoding", encoding_text(options)},
            {"invalid bytes", invalid_text(options)},
            {"lemmas", options.by_lemma ? "yes" : "no"},
            {"parts of speech", options.parts_of_speech.empty() ? "all" : base::joined(options.parts_of_speech, ",")},
            {"model", resolved(options.model)},
            {"model sha256", model.sha256},
            {"layers", text_of(model.layers)},
            {"unit", std::string(name_of(options.unit))},
            {"case", std::string(name_of(options.letter_case))},
            {"subwords", std::string(name_of(options.subwords))},
            {"max tokens", std::to_string(options.max_tokens)},
            {"deduplicate", deduplicate_text(options)},
            {"words", words_text(options)},
            {"min count", std::to_string(min_count_of(options))},
            {"per word", limit_text(per_word_of(options))},
            {"per document", limit_text(options.per_document)},
            {"sample", sample_text(options)},
            {"seed", std::to_string(options.seed)},
            {"device", model.device},
            {"number type", model.precision},
            {"shard tokens", std::to_string(model.shard_tokens)},
            {"mecab dictionary", resolved(options.mecab_dictionary)},
            {"ICU", U_ICU_VERSION}};
}

void require_same(store::Plan& plan, const ExtractOptions& options) {
    const ModelRecord record{layers_of(options),
                             0,
                             cuda::kind_of_device(options.device),  // any GPU may resume what another has begun
                             std::string(name_of(options.precision)),
                             "",
                             options.shard_tokens};
    for (const auto& [name, stated] : settings_of(with_case_of(plan, options), record))
        if (states(options, name) && !is_same(plan, name, stated)) fail_other(plan, name, stated);
}

std::string planned_model(store::Plan& plan) {
    std::string folder = plan.setting("model");
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) return folder;
    base::fail(plan.folder(), "its model " + base::in_quotes(folder) +
                                  " is no longer there; name the folder where it is now (sha256 " +
                                  plan.setting("model sha256").substr(0, 12) + ")");
}

void require_same_model(store::Plan& plan, const std::string& folder, const std::string& sha256) {
    const std::string planned = plan.setting("model sha256");
    if (sha256 == planned) return;
    base::fail(folder, "is not the model that " + plan.folder() + " was planned with: its sha256 is " +
                           sha256.substr(0, 12) + " instead of " + planned.substr(0, 12));
}

void require_same_precision(store::Plan& plan, const ModelRecord& model) {
    const std::string planned = plan.setting("number type");
    if (model.precision == planned) return;
    base::fail(plan.folder(), "was planned with precision " + planned + ", but this machine computes in " +
                                  model.precision +
                                  ": resume it on one like the first, or extract again into another folder");
}

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

void WantedWords::move(std::string_view word, Use from, Use to, std::uint64_t count) {
    const auto found = words_.find(word);
    if (found == words_.end()) return;
    found->second[static_cast<std::size_t>(from)] -= count;
    found->second[static_cast<std::size_t>(to)] += count;
}

void WantedWords::pack(Packer& to) const {
    to.number(words_.size());
    for (const auto& [word, counts] : words_) {
        to.text(word);
        for (const std::uint64_t count : counts) to.number(count);
    }
    to.number(spellings_.size());
    for (const auto& [word, spellings] : spellings_) {
        to.text(word);
        to.number(spellings.size());
        for (const auto& [spelling, count] : spellings) {
            to.text(spelling);
            to.number(count);
        }
    }
}

void WantedWords::add(Unpacker& from) {
    for (std::uint64_t words = from.number(); words > 0; --words)
        for (std::uint64_t& count : words_[std::string(from.text())]) count += from.number();
    for (std::uint64_t words = from.number(); words > 0; --words) {
        auto& spellings = spellings_[std::string(from.text())];
        for (std::uint64_t each = from.number(); each > 0; --each) {
            std::uint64_t& count = spellings[std::string(from.text())];
            count += from.number();
        }
    }
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

std::uint64_t kept_by_mean(const WantedWords& wanted, std::span<const MissingWord> missing, const Requirement& needed) {
    return static_cast<std::uint64_t>(std::ranges::count_if(missing, [&](const MissingWord& word) {
        return word.usable + wanted.uses_of(word.word)[static_cast<std::size_t>(Use::several_tokens)] >= needed.usable;
    }));
}

void fail_all_missing(std::span<const MissingWord> missing, std::uint64_t kept_by_mean, ExtractUnit unit) {
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

// Files of several formats may share a tag: it stays in the set where it has a universal meaning.
void TagCounts::add(std::string_view tag, const Count& more) {
    if (tag.empty()) return;
    auto found = counts_.find(tag);
    if (found == counts_.end()) found = counts_.try_emplace(std::string(tag), Count{0, more.tags}).first;
    Count& count = found->second;
    count.words += more.words;
    if (count.tags != more.tags && corpus::universal_tag(count.tags, tag).empty()) count.tags = more.tags;
}

void TagCounts::add(const corpus::Sentence& sentence) {
    const Count one{1, sentence.tags};
    if (sentence.usage) return add(sentence.usage->part_of_speech, one);
    for (const corpus::Word& word : sentence.words) add(word.part_of_speech, one);
}

void TagCounts::pack(Packer& to) const {
    to.number(counts_.size());
    for (const auto& [tag, count] : counts_) {
        to.text(tag);
        to.number(count.words);
        to.number(static_cast<std::uint64_t>(count.tags));
    }
}

void TagCounts::add(Unpacker& from) {
    for (std::uint64_t tags = from.number(); tags > 0; --tags) {
        const std::string tag(from.text());
        const std::uint64_t words = from.number();
        add(tag, {words, static_cast<corpus::TagSet>(from.number())});
    }
}

std::vector<std::string> TagCounts::unknown(std::span<const std::string> wanted) const {
    std::vector<std::string> unknown;
    for (const std::string& tag : wanted) {
        const auto is_it = [&](const auto& entry) {
            return corpus::is_part_of_speech(entry.first, tag, entry.second.tags);
        };
        if (std::ranges::none_of(counts_, is_it)) unknown.push_back(tag);
    }
    return unknown;
}

std::vector<std::string> TagCounts::most_frequent_first() const {
    std::vector<std::pair<std::uint64_t, std::string>> sorted;
    for (const auto& [tag, count] : counts_) sorted.emplace_back(UINT64_MAX - count.words, tag);
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
    text += "its tags, the most frequent first: " + base::listed(tags, tags_listed);
    std::vector<std::string> universal;
    for (const std::string& tag : tags) {
        const std::string_view known = corpus::universal_tag(counts_.find(tag)->second.tags, tag);
        if (!known.empty() && known != tag && std::ranges::find(universal, known) == universal.end())
            universal.emplace_back(known);
    }
    if (!universal.empty()) text += "; as universal tags: " + base::joined(universal, ", ");
    return text;
}

}  // namespace wordbreadth::extraction
