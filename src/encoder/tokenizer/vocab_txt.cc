#include "encoder/tokenizer/vocab_txt.h"

#include <algorithm>
#include <filesystem>

#include "encoder/tokenizer/added_tokens_json.h"
#include "encoder/tokenizer/parts.h"
#include "encoder/tokenizer/word_piece.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

// Lines end with \n, \r\n or \r; what follows the last end is a token when it is not empty.
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
std::string special_token(const snapshot::JsonValue& configuration, const std::string& key,
                          const std::string& otherwise) {
    const auto found = configuration.find(key);
    if (!found) return otherwise;
    return found->is_object() ? found->at("content").text() : found->text();
}

struct SpecialTokens {
    explicit SpecialTokens(const snapshot::JsonValue& configuration)
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
std::vector<AddedToken> read_added(const snapshot::JsonValue& configuration, const SpecialTokens& special,
                                   Vocabulary& vocabulary) {
    auto added = read_added_tokens_decoder(configuration.find("added_tokens_decoder"), vocabulary);
    for (const auto& token : {special.unknown, special.separator, special.padding, special.classifier, special.mask}) {
        const auto id = vocabulary.find(token);
        const auto is_listed = [&token](const AddedToken& other) { return other.content == token; };
        if (id && std::ranges::none_of(added, is_listed)) added.push_back({.content = token, .id = *id});
    }
    return added;
}

}  // namespace

Tokenizer assemble_bert(const std::string& folder, const snapshot::JsonValue& configuration,
                        std::unique_ptr<Normalizer> normalizer, std::unique_ptr<Splitter> splitter) {
    const std::string path = (std::filesystem::path(folder) / "vocab.txt").string();
    Vocabulary vocabulary = read_vocabulary(path);
    const SpecialTokens special(configuration);
    auto model = std::make_unique<WordPiece>(path, vocabulary, WordPieceOptions{.unknown = special.unknown});
    const auto added = read_added(configuration, special, vocabulary);
    AddedTokens raw(configuration.path(), added, false, nullptr);
    AddedTokens normalized(configuration.path(), added, true, normalizer.get());
    Frame frame{{vocabulary.require(path, "cls_token", special.classifier)},
                {vocabulary.require(path, "sep_token", special.separator)}};
    return Tokenizer({.added_raw = std::move(raw),
                      .normalizer = std::move(normalizer),
                      .added_normalized = std::move(normalized),
                      .splitter = std::move(splitter),
                      .model = std::move(model),
                      .frame = std::move(frame),
                      .vocabulary = std::move(vocabulary)});
}

Tokenizer load_vocab_txt(const std::string& folder, const snapshot::JsonValue& configuration) {
    const bool lowercase = configuration.boolean_or("do_lower_case", true);
    const BertCleaning cleaning{.clean_text = true,
                                .handle_chinese_chars = configuration.boolean_or("tokenize_chinese_chars", true),
                                .strip_accents = configuration.boolean_or("strip_accents", lowercase),
                                .lowercase = lowercase};
    return assemble_bert(folder, configuration, std::make_unique<BertNormalizer>(cleaning),
                         std::make_unique<BertSplitter>());
}

}  // namespace wordbreadth::encoder::tokenizer
