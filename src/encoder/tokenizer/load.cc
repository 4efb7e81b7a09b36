#include "encoder/tokenizer/load.h"

#include <algorithm>
#include <filesystem>

#include "base/failure.h"
#include "encoder/tokenizer/parts.h"
#include "encoder/tokenizer/splitter.h"
#include "encoder/tokenizer/tokenizer_json.h"
#include "encoder/tokenizer/word_piece.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

using snapshot::JsonValue;

// A vocab.txt has one token per line. Lines end with \n, \r\n or \r; what follows the last end is a token when it is
// not empty.
Vocabulary read_vocabulary(const std::string& path) {
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

// A special token is written as its text, or as an object with the text in "content".
std::string special_token(const JsonValue& configuration, const std::string& key, const std::string& otherwise) {
    const auto found = configuration.find(key);
    if (!found) return otherwise;
    return found->is_object() ? found->at("content").text() : found->text();
}

struct SpecialTokens {
    explicit SpecialTokens(const JsonValue& configuration)
        : unknown(special_token(configuration, "unk_token", "[UNK]")),
          separator(special_token(configuration, "sep_token", "[SEP]")),
          padding(special_token(configuration, "pad_token", "[PAD]")),
          classifier(special_token(configuration, "cls_token", "[CLS]")),
          mask(special_token(configuration, "mask_token", "[MASK]")) {}

    std::string unknown;
    std::string separator;
    std::string padding;
    std::string classifier;
    std::string mask;
};

// The special tokens are found in text as well, those that the configuration does not list on top of those it lists.
std::vector<AddedToken> read_added(const JsonValue& configuration, const SpecialTokens& special,
                                   Vocabulary& vocabulary) {
    auto added = read_added_tokens_decoder(configuration.find("added_tokens_decoder"), vocabulary);
    for (const auto& token : {special.unknown, special.separator, special.padding, special.classifier, special.mask}) {
        const auto id = vocabulary.find(token);
        const auto is_listed = [&token](const AddedToken& other) { return other.content == token; };
        if (id && std::ranges::none_of(added, is_listed)) added.push_back({.content = token, .id = *id});
    }
    return added;
}

// What every BERT with a vocab.txt has in common: its special tokens and WordPiece, behind the two parts given.
Tokenizer assemble_bert(const std::string& folder, const JsonValue& configuration,
                        std::unique_ptr<Normalizer> normalizer, std::unique_ptr<Splitter> splitter) {
    const std::string path = (std::filesystem::path(folder) / "vocab.txt").string();
    Vocabulary vocabulary = read_vocabulary(path);
    const SpecialTokens special(configuration);
    auto model = std::make_unique<WordPiece>(path, vocabulary, WordPieceOptions{.unknown = special.unknown});
    const auto added = read_added(configuration, special, vocabulary);
    Frame frame{{vocabulary.require(path, "cls_token", special.classifier)},
                {vocabulary.require(path, "sep_token", special.separator)}};
    return assembled(configuration.path(), added,
                     {.normalizer = std::move(normalizer),
                      .splitter = std::move(splitter),
                      .model = std::move(model),
                      .frame = std::move(frame),
                      .vocabulary = std::move(vocabulary)});
}

// BERT's: do_lower_case, strip_accents and tokenize_chinese_chars of `configuration` are followed.
Tokenizer load_vocab_txt(const std::string& folder, const JsonValue& configuration) {
    const bool lowercase = configuration.boolean_or("do_lower_case", true);
    const BertCleaning cleaning{.clean_text = true,
                                .handle_chinese_chars = configuration.boolean_or("tokenize_chinese_chars", true),
                                .strip_accents = configuration.boolean_or("strip_accents", lowercase),
                                .lowercase = lowercase};
    return assemble_bert(folder, configuration, std::make_unique<BertNormalizer>(cleaning),
                         std::make_unique<BertSplitter>());
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
                       ", which is not known here; expected normalize_text and mecab_dic");
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
    constexpr std::uint8_t any_version = 255;
    std::unique_ptr<Normalizer> normalizer;
    if (read_mecab_settings(configuration)) {
        normalizer = std::make_unique<NormalFormNormalizer>(NormalForm(Decomposition::compatible, true, any_version));
    }
    const bool lowercase = configuration.boolean_or("do_lower_case", false);
    return assemble_bert(folder, configuration, std::move(normalizer),
                         std::make_unique<MecabSplitter>(mecab_dictionary, lowercase));
}

bool is_there(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

// What is not there is empty.
nlohmann::json read_configuration(const std::string& path) {
    return is_there(path) ? snapshot::read_json_file(path) : nlohmann::json::object();
}

}  // namespace

Tokenizer load_tokenizer(const std::string& folder, const LoadOptions& options) {
    const std::filesystem::path place(folder);
    if (!std::filesystem::is_directory(place)) base::fail(folder, "no such folder; expected the folder of a model");
    const std::string configuration_path = (place / "tokenizer_config.json").string();
    const nlohmann::json json = read_configuration(configuration_path);
    const JsonValue configuration(configuration_path, "", json);
    if (splits_with_mecab(configuration)) return load_japanese(folder, configuration, options.mecab_dictionary);
    if (is_there(place / "tokenizer.json")) return load_tokenizer_json(folder, configuration);
    if (is_there(place / "vocab.txt")) return load_vocab_txt(folder, configuration);
    base::fail(folder, "has neither tokenizer.json nor vocab.txt; download the whole model");
}

}  // namespace wordbreadth::encoder::tokenizer
