#include "encoder/tokenizer/japanese.h"

#include "base/failure.h"
#include "encoder/tokenizer/mecab_splitter.h"
#include "encoder/tokenizer/vocab_txt.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

constexpr std::uint8_t any_version = 255;

void require_word_piece(const snapshot::JsonValue& configuration) {
    const auto type = configuration.find("subword_tokenizer_type");
    if (type && type->text() != "wordpiece") type->fail_expecting("\"wordpiece\"");
    for (const char* key : {"do_word_tokenize", "do_subword_tokenize"}) {
        if (!configuration.boolean_or(key, true)) configuration.at(key).fail_expecting("true");
    }
}

// Returns whether the text is to be normalized. The dictionary is the user's to name, whatever is named here.
bool read_mecab_settings(const snapshot::JsonValue& configuration) {
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

}  // namespace

bool splits_with_mecab(const snapshot::JsonValue& configuration) {
    const bool japanese = configuration.text_or("tokenizer_class", "") == "BertJapaneseTokenizer";
    const auto type = configuration.find("word_tokenizer_type");
    if (!type && japanese) configuration.fail("has no word_tokenizer_type; expected \"mecab\"");
    if (!type) return false;
    if (type->text() != "mecab") type->fail_expecting("\"mecab\"");
    return true;
}

Tokenizer load_japanese(const std::string& folder, const snapshot::JsonValue& configuration,
                        const std::string& mecab_dictionary) {
    require_word_piece(configuration);
    std::unique_ptr<Normalizer> normalizer;
    if (read_mecab_settings(configuration)) {
        normalizer = std::make_unique<NormalFormNormalizer>(NormalForm(Decomposition::compatible, true, any_version));
    }
    const bool lowercase = configuration.boolean_or("do_lower_case", false);
    return assemble_bert(folder, configuration, std::move(normalizer),
                         std::make_unique<MecabSplitter>(mecab_dictionary, lowercase));
}

}  // namespace wordbreadth::encoder::tokenizer
