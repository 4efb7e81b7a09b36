#include "extraction/settings.h"

#include <unicode/uversion.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>

#include "base/failure.h"
#include "base/sha256.h"
#include "corpus/decoder.h"
#include "encoder/cpu/product.h"
#include "wordbreadth/names.h"

namespace wordbreadth::extraction {

namespace {

std::string layers_text(const LayerRange& layers) {
    const std::string first = std::to_string(layers.first);
    return layers.first == layers.last ? first : first + "-" + std::to_string(layers.last);
}

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

bool states(const ExtractOptions& options, const std::string& name) {
    if (name == "layers") return options.layers.has_value();
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
    base::fail(plan.folder(), "was planned with " + (name == "number type" ? "precision" : name) + " " +
                                  base::in_quotes(plan.setting(name)) + "; this call says " + base::in_quotes(stated) +
                                  ": resume it with the same, or extract anew into another folder");
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
            {"layers", layers_text(model.layers)},
            {"unit", std::string(name_of(options.unit))},
            {"case", std::string(name_of(options.letter_case))},
            {"subwords", std::string(name_of(options.subwords))},
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

void require_same(store::Plan& plan, const ExtractOptions& options) {
    const ModelRecord record{options.layers.value_or(LayerRange{}), options.device,
                             std::string(name_of(options.precision)), "", options.shard_tokens};
    for (const auto& [name, stated] : settings_of(with_case_of(plan, options), record))
        if (states(options, name) && !is_same(plan, name, stated)) fail_other(plan, name, stated);
}

std::string planned_model(store::Plan& plan) {
    std::string folder = plan.setting("model");
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) return folder;
    base::fail(plan.folder(), "its model " + base::in_quotes(folder) +
                                  " is not there any more; name the folder where it is now (sha256 " +
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
                                  ": resume it on one like the first, or extract anew into another folder");
}

}  // namespace wordbreadth::extraction
