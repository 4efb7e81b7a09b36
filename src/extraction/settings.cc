#include <unicode/uversion.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>

#include "base/sha256.h"
#include "corpus/encoding.h"
#include "extraction/defaults.h"
#include "extraction/plan.h"

namespace wordbreadth::extraction {

namespace {

std::string joined(const std::vector<std::string>& parts, const char* between) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
    return text;
}

std::string layers_text(const LayerRange& layers) {
    const std::string first = std::to_string(layers.first);
    return layers.first == layers.last ? first : first + "-" + std::to_string(layers.last);
}

std::string words_text(const ExtractOptions& options) {
    if (options.words.empty()) return "all";
    const std::vector<std::string> words = wanted_words(options);
    const std::string list = joined(words, "\n");
    return "a list of " + std::to_string(words.size()) + ", sha256 " + base::sha256_of(std::as_bytes(std::span(list)));
}

const char* name_of(Subwords subwords) {
    switch (subwords) {
        case Subwords::single:
            return "single";
        case Subwords::mean:
            return "mean";
        case Subwords::first:
            return "first";
        case Subwords::last:
            return "last";
    }
    return "";
}

std::string limit_text(std::uint64_t limit) {
    return limit == 0 ? "all" : std::to_string(limit);
}

// What is empty was the one way before there were others; plans of that time do not say.
std::string encoding_text(const ExtractOptions& options) {
    std::string encoding = corpus::encoding_named(options.encoding);
    return encoding == corpus::utf_8 ? "" : encoding;
}

const char* invalid_text(InvalidBytes invalid) {
    switch (invalid) {
        case InvalidBytes::error:
            return "";
        case InvalidBytes::skip:
            return "skip";
        case InvalidBytes::replace:
            return "replace";
    }
    return "";
}

}  // namespace

std::string resolved(const std::string& path) {
    std::error_code error;
    if (path.empty()) return path;
    std::string whole = std::filesystem::absolute(path, error).lexically_normal().string();
    if (error) return path;
    while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
    return whole;
}

Settings settings_of(const ExtractOptions& options, const ModelRecord& model) {
    return {{"corpus", joined(options.corpus, "\n")},
            {"corpus format", options.corpus_format},
            {"encoding", encoding_text(options)},
            {"invalid bytes", invalid_text(options.invalid)},
            {"lemmas", options.by_lemma ? "yes" : "no"},
            {"parts of speech", options.parts_of_speech.empty() ? "all" : joined(options.parts_of_speech, ",")},
            {"model", resolved(options.model)},
            {"model sha256", model.sha256},
            {"layers", layers_text(model.layers)},
            {"unit", options.unit == ExtractUnit::word ? "word" : "text"},
            {"case", options.letter_case == LetterCase::lower ? "lower" : "keep"},
            {"subwords", name_of(options.subwords)},
            {"max tokens", std::to_string(options.max_tokens)},
            {"words", words_text(options)},
            {"min count", std::to_string(min_count_of(options))},
            {"per word", limit_text(per_word_of(options))},
            {"per document", limit_text(options.per_document)},
            {"seed", std::to_string(options.seed)},
            {"device", model.device},
            {"number type", model.precision},
            {"shard tokens", std::to_string(model.shard_tokens)},
            {"mecab dictionary", resolved(options.mecab_dictionary)},
            {"ICU", U_ICU_VERSION}};
}

}  // namespace wordbreadth::extraction
