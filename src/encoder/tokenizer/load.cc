// A tokenizer from the files of a model's folder, whichever there are.
#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "base/failure.h"
#include "encoder/tokenizer/read.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

// ---- vocab.txt

// A vocab.txt has one token per line. Lines end with \n, \r\n or \r; what follows the last end is a token when it is
// not empty.
Vocabulary read_vocab_txt(const std::string& path) {
    const std::string text = snapshot::read_text_file(path);
    Vocabulary vocabulary;
    std::int64_t id = 0;
    for (std::size_t at = 0; at < text.size(); ++id) {
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        vocabulary.add(path + ": line " + std::to_string(id + 1), text.substr(at, end - at), id);
        at = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
    }
    return vocabulary;
}

// What every model with a vocab.txt has in common: WordPiece behind the parts given, and a special token at either end.
Tokenizer assemble_bert(const std::string& folder, const JsonValue& configuration, NamedTokens usual,
                        Tokenizer::Parts parts) {
    const std::string path = (std::filesystem::path(folder) / "vocab.txt").string();
    parts.vocabulary = read_vocab_txt(path);
    const SpecialTokens special = read_special_tokens(folder, configuration, std::move(usual));
    parts.model = word_piece(path, parts.vocabulary, {.unknown = special.at("unk_token")});
    const auto added = read_added(folder, configuration, special, parts.vocabulary);
    parts.frame = {{parts.vocabulary.require(path, "cls_token", special.at("cls_token"))},
                   {parts.vocabulary.require(path, "sep_token", special.at("sep_token"))}};
    return {configuration.path(), added, std::move(parts)};
}

NamedTokens tokens_of_bert() {
    return {{"unk_token", {"[UNK]"}},
            {"sep_token", {"[SEP]"}},
            {"pad_token", {"[PAD]"}},
            {"cls_token", {"[CLS]"}},
            {"mask_token", {"[MASK]"}}};
}

// RoBERTa's but for the unknown one: the vocabulary is BERT's with these in front.
NamedTokens tokens_of_mpnet() {
    return {{"bos_token", {"<s>"}},
            {"eos_token", {"</s>"}},
            {"unk_token", {"[UNK]"}},
            {"sep_token", {"</s>"}},
            {"pad_token", {"<pad>"}},
            {"cls_token", {"<s>"}},
            {"mask_token", {.content = "<mask>", .lstrip = true}}};
}

// do_lower_case, strip_accents and tokenize_chinese_chars of the configuration are followed.
Normalizer read_cleaning(const JsonValue& configuration) {
    const bool lowercase = configuration.boolean_or("do_lower_case", true);
    return bert_normalizer({.clean_text = true,
                            .handle_chinese_chars = configuration.boolean_or("tokenize_chinese_chars", true),
                            .strip_accents = configuration.boolean_or("strip_accents", lowercase),
                            .lowercase = lowercase});
}

// BERT's or MPNet's, which is for `kind` to say: a class of Python's transformers or a model's type; "" is BERT.
Tokenizer load_vocab_txt(const std::string& folder, const JsonValue& configuration, const std::string& kind) {
    Tokenizer::Parts parts;
    parts.normalizer = read_cleaning(configuration);
    parts.splitter = split_as_bert;
    if (kind == "MPNetTokenizer" || kind == "mpnet") {
        parts.trims = {{.add_prefix_space = false}};
        return assemble_bert(folder, configuration, tokens_of_mpnet(), std::move(parts));
    }
    constexpr auto berts = std::to_array<std::string_view>(
        {"", "BertTokenizer", "bert", "DistilBertTokenizer", "distilbert", "ElectraTokenizer", "electra"});
    if (std::ranges::find(berts, kind) == berts.end())
        base::fail(folder, "has vocab.txt of the tokenizer " + base::in_quotes(kind) +
                               ", which is not supported; expected BERT's, DistilBERT's, ELECTRA's or MPNet's: save a "
                               "fast tokenizer, which has a tokenizer.json");
    return assemble_bert(folder, configuration, tokens_of_bert(), std::move(parts));
}

void require_word_piece(const JsonValue& configuration) {
    const auto type = configuration.find("subword_tokenizer_type");
    if (type && type->text() != "wordpiece") type->fail_expecting("\"wordpiece\"");
    for (const char* key : {"do_word_tokenize", "do_subword_tokenize"}) {
        if (!configuration.boolean_or(key, true)) configuration.at(key).fail_expecting("true");
    }
}

// Returns whether the text is to be normalized. The dictionary is the user's to name, whatever is named here.
bool read_mecab_settings(const JsonValue& configuration) {
    const auto settings = configuration.find("mecab_kwargs");
    if (!settings) return true;
    for (const auto& [key, value] : settings->object().items()) {
        if (key == "normalize_text" || key == "mecab_dic") continue;
        if (key == "mecab_option" && settings->text_or(key, "").empty()) continue;
        settings->fail("has " + base::in_quotes(key) +
                       ", which is not supported; expected normalize_text and mecab_dic");
    }
    return settings->boolean_or("normalize_text", true);
}

// Does tokenizer_config.json ask for MeCab? Throws InputError when it asks for another program to find words.
bool splits_with_mecab(const JsonValue& configuration) {
    const bool japanese = configuration.text_or("tokenizer_class", "") == "BertJapaneseTokenizer";
    const auto type = configuration.find("word_tokenizer_type");
    if (!type && japanese) configuration.fail("has no word_tokenizer_type; expected \"mecab\"");
    if (!type) return false;
    if (type->text() != "mecab") type->fail_expecting("\"mecab\"");
    return true;
}

// The tokenizer of Japanese BERTs: MeCab finds the words, WordPiece cuts them. The tokens are those of
// BertJapaneseTokenizer of Python's transformers, which has no offsets; NFKC is ICU's.
Tokenizer load_japanese(const std::string& folder, const JsonValue& configuration,
                        const std::string& mecab_dictionary) {
    require_word_piece(configuration);
    Tokenizer::Parts parts;
    if (read_mecab_settings(configuration)) parts.normalizer = normal_form("NFKC", any_version);
    parts.splitter = mecab_splitter(mecab_dictionary, configuration.boolean_or("do_lower_case", false));
    parts.finds_words = true;
    return assemble_bert(folder, configuration, tokens_of_bert(), std::move(parts));
}

bool is_there(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

// The kind of tokenizer where no file describes it: the class that the configuration names, without the "Fast" at its
// end, or else the model's type.
std::string kind_of_tokenizer(const std::filesystem::path& folder, const JsonValue& configuration) {
    std::string name = configuration.text_or("tokenizer_class", "");
    if (name.ends_with("Fast")) name.resize(name.size() - 4);
    const std::string path = (folder / "config.json").string();
    if (!name.empty() || !is_there(path)) return name;
    const nlohmann::json json = snapshot::read_json_file(path);
    return JsonValue(path, "", json).text_or("model_type", "");
}

// One that does without MeCab.
Tokenizer load_other(const std::string& folder, const JsonValue& configuration) {
    const std::filesystem::path place(folder);
    if (is_there(place / "tokenizer.json")) return load_tokenizer_json(folder, configuration);
    if (is_there(place / "vocab.txt"))
        return load_vocab_txt(folder, configuration, kind_of_tokenizer(place, configuration));
    if (is_there(place / "vocab.json") && is_there(place / "merges.txt"))
        return load_vocab_json(folder, configuration, kind_of_tokenizer(place, configuration));
    for (const char* name : {"sentencepiece.bpe.model", "spm.model", "spiece.model", "tokenizer.model"})
        if (is_there(place / name))
            return load_sentence_piece(folder, name, configuration, kind_of_tokenizer(place, configuration));
    base::fail(folder,
               "has neither tokenizer.json nor vocab.txt, nor vocab.json with merges.txt, nor a sentencepiece "
               "model; download the whole model");
}

}  // namespace

Tokenizer load_tokenizer(const std::string& folder, const std::string& mecab_dictionary) {
    const std::filesystem::path place(folder);
    if (!std::filesystem::is_directory(place))
        base::fail_to_open(folder, "no such folder; expected the folder of a model", ENOENT);
    const std::string configuration_path = (place / "tokenizer_config.json").string();
    const nlohmann::json json =
        is_there(configuration_path) ? snapshot::read_json_file(configuration_path) : nlohmann::json::object();
    const JsonValue configuration(configuration_path, "", json);
    if (splits_with_mecab(configuration)) return load_japanese(folder, configuration, mecab_dictionary);
    Tokenizer tokenizer = load_other(folder, configuration);
    return mecab_dictionary.empty() ? tokenizer : tokenizer.with_words_of_mecab(mecab_dictionary);
}

}  // namespace wordbreadth::encoder::tokenizer
