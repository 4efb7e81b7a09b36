// vocab.json and merges.txt, the files of GPT-2 and of those after it.
#include <filesystem>

#include "base/failure.h"
#include "encoder/tokenizer/read.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

// One merge per line, in order; the first line may be a version.
std::vector<std::pair<std::string, std::string>> read_merges_txt(const std::string& path) {
    const std::string text = snapshot::read_text_file(path);
    std::vector<std::pair<std::string, std::string>> merges;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        at = end + 1;
        ++number;
        if (line.ends_with('\r')) line.pop_back();
        if (line.empty() || line.starts_with("#version")) continue;
        const std::string where = path + ": line " + std::to_string(number);
        auto merge = merge_in(line);
        if (!merge)
            base::fail(where, "is " + base::in_quotes(line) + "; expected two tokens with a space between them");
        if (merges.size() == limits::vocabulary)
            base::fail(where, "is one merge too many; at most " + std::to_string(limits::vocabulary) + " are accepted");
        merges.push_back(std::move(*merge));
    }
    return merges;
}

Tokenizer assemble(const std::string& folder, const JsonValue& configuration, const SpecialTokens& special,
                   Tokenizer::Parts parts) {
    const auto added = read_added(folder, configuration, special, parts.vocabulary);
    return {configuration.path(), added, std::move(parts)};
}

// Qwen2's splits numbers into digits, and lets a word have one sign before it.
constexpr const char* qwen_words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

}  // namespace

Tokenizer load_vocab_json(const std::string& folder, const JsonValue& configuration, const std::string& kind) {
    const std::string path = (std::filesystem::path(folder) / "vocab.json").string();
    const nlohmann::json json = snapshot::read_json_file(path);
    Tokenizer::Parts parts;
    read_vocabulary(JsonValue(path, "", json), parts.vocabulary);
    BytePairOptions options;
    options.merges = read_merges_txt((std::filesystem::path(folder) / "merges.txt").string());
    parts.model = byte_pair(path, parts.vocabulary, options);
    const bool add_prefix_space = configuration.boolean_or("add_prefix_space", false);
    parts.splitter = byte_level_splitter({.add_prefix_space = add_prefix_space});

    if (kind == "RobertaTokenizer" || kind == "roberta" || kind == "LongformerTokenizer" || kind == "BartTokenizer") {
        const SpecialTokens special = read_special_tokens(folder, configuration,
                                                          {{"unk_token", {"<unk>"}},
                                                           {"sep_token", {"</s>"}},
                                                           {"pad_token", {"<pad>"}},
                                                           {"cls_token", {"<s>"}},
                                                           {"mask_token", {"<mask>"}}});
        parts.frame = {{parts.vocabulary.require(path, "cls_token", special.at("cls_token"))},
                       {parts.vocabulary.require(path, "sep_token", special.at("sep_token"))}};
        if (configuration.boolean_or("trim_offsets", true)) parts.trims = {{.add_prefix_space = add_prefix_space}};
        return assemble(folder, configuration, special, std::move(parts));
    }
    const SpecialTokens special = read_special_tokens(folder, configuration,
                                                      {{"unk_token", {"<|endoftext|>"}},
                                                       {"bos_token", {"<|endoftext|>"}},
                                                       {"eos_token", {"<|endoftext|>"}},
                                                       {"pad_token", {"<|endoftext|>"}}});
    if (kind == "Qwen2Tokenizer" || kind == "qwen2" || kind == "qwen3") {
        parts.normalizer = normal_form("NFC");
        parts.splitter = in_order(
            std::vector<Splitter>{splitting_at(Expression(path, qwen_words), Delimiter::isolated, false),
                                  byte_level_splitter({.add_prefix_space = add_prefix_space, .use_regex = false})});
        return assemble(folder, configuration, special, std::move(parts));
    }
    if (kind == "GPT2Tokenizer" || kind == "gpt2") {
        if (configuration.boolean_or("add_bos_token", false))
            configuration.at("add_bos_token").fail_expecting("false, as in GPT-2");
        return assemble(folder, configuration, special, std::move(parts));
    }
    base::fail(folder, "has vocab.json and merges.txt of the tokenizer " + base::in_quotes(kind) +
                           ", which is not supported; expected GPT-2's, RoBERTa's or Qwen2's: save a fast tokenizer, "
                           "which has a tokenizer.json");
}

}  // namespace wordbreadth::encoder::tokenizer
