// A tokenizer from the files of a model: tokenizer.json first, then vocab.txt with tokenizer_config.json.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <set>

#include "base/failure.h"
#include "encoder/snapshot/json_file.h"
#include "encoder/tokenizer/parts.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

using snapshot::JsonValue;

struct NumberedToken {
    JsonValue json;
    std::int64_t id;
};

// Tokens that the vocabulary lacks are put into it, with ids as the library gives them: one after the other from the
// vocabulary's size on. It does so whatever the file says, and no model was trained with other ids than the file's:
// where the two differ, InputError is thrown.
std::vector<AddedToken> numbered(const std::vector<NumberedToken>& tokens, Vocabulary& vocabulary) {
    std::int64_t next = std::ssize(vocabulary.ids());
    std::vector<AddedToken> added;
    std::set<std::string> seen;
    for (const auto& [json, claimed] : tokens) {
        const std::string& content = json.at("content").text();
        if (content.empty() || !seen.insert(content).second) json.fail("is empty, or there twice; remove it");
        const auto known = vocabulary.find(content);
        const std::int64_t expected = known ? *known : next;
        if (claimed != expected)
            json.fail("gives " + base::in_quotes(content) + " the id " + std::to_string(claimed) + "; expected " +
                      std::to_string(expected) +
                      (known ? ", its id in the vocabulary" : ", the next one that is free"));
        if (!known) vocabulary.add(json.where(), content, next++);
        added.push_back({.content = content,
                         .id = static_cast<std::int32_t>(expected),
                         .single_word = json.boolean_or("single_word", false),
                         .lstrip = json.boolean_or("lstrip", false),
                         .rstrip = json.boolean_or("rstrip", false),
                         .normalized = json.boolean_or("normalized", !json.boolean_or("special", false))});
    }
    return added;
}

// "added_tokens": a list.
std::vector<AddedToken> read_added_tokens(const std::optional<JsonValue>& json, Vocabulary& vocabulary) {
    if (!json) return {};
    std::vector<NumberedToken> tokens;
    for (const JsonValue& item : json->items()) tokens.push_back({item, item.at("id").whole_number()});
    return numbered(tokens, vocabulary);
}

// "added_tokens_decoder" of tokenizer_config.json: an object by id.
std::vector<AddedToken> read_added_tokens_decoder(const std::optional<JsonValue>& json, Vocabulary& vocabulary) {
    if (!json) return {};
    std::vector<NumberedToken> tokens;
    for (const auto& [key, value] : json->object().items()) {
        const auto id = base::number_in<std::int64_t>(key);
        if (!id) json->fail("has the key " + base::in_quotes(key) + "; expected the id of a token");
        tokens.push_back({json->at(key), *id});
    }
    std::ranges::sort(tokens, {}, &NumberedToken::id);
    return numbered(tokens, vocabulary);
}

void read_vocabulary(const JsonValue& json, Vocabulary& vocabulary) {
    const std::string where = json.where();
    const nlohmann::json& tokens = json.object();
    vocabulary.reserve(tokens.size());
    for (const auto& [token, id] : tokens.items()) {
        const auto* const number = id.get_ptr<const nlohmann::json::number_unsigned_t*>();
        if (number != nullptr && *number < limits::vocabulary) {
            vocabulary.add(where, token, static_cast<std::int64_t>(*number));
        } else {
            const JsonValue wrong(json.path(), "model.vocab of " + base::in_quotes(token), id);
            vocabulary.add(where, token, wrong.whole_number());  // either of them says what is wrong
        }
    }
}

Model read_word_piece(const JsonValue& json, const Vocabulary& vocabulary) {
    const JsonValue longest = json.at("max_input_chars_per_word");
    if (longest.whole_number() < 0) longest.fail_expecting("a number that is not negative");
    const WordPieceOptions options{.unknown = json.at("unk_token").text(),
                                   .continuing_prefix = json.at("continuing_subword_prefix").text(),
                                   .max_input_chars_per_word = static_cast<std::size_t>(longest.whole_number())};
    return word_piece(json.where(), vocabulary, options);
}

// Older files write "a b", newer ones ["a", "b"].
std::pair<std::string, std::string> read_merge(const JsonValue& json) {
    if (json.is_text()) {
        const std::string& text = json.text();
        const std::size_t space = text.find(' ');
        if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos) {
            json.fail_expecting("two tokens with a space between them");
        }
        return {text.substr(0, space), text.substr(space + 1)};
    }
    const auto items = json.items();
    if (items.size() != 2) json.fail_expecting("a list of two tokens");
    return {items[0].text(), items[1].text()};
}

std::vector<std::pair<std::string, std::string>> read_merges(const JsonValue& json) {
    std::vector<std::pair<std::string, std::string>> merges;
    for (const JsonValue& item : json.items()) {
        const bool is_version = item.is_text() && item.text().starts_with("#version");  // the first line of old files
        if (!is_version) merges.push_back(read_merge(item));
    }
    if (merges.size() > limits::vocabulary) {
        json.fail("has " + std::to_string(merges.size()) + " merges; at most " + std::to_string(limits::vocabulary) +
                  " are accepted");
    }
    return merges;
}

void require_plain_byte_pair(const JsonValue& json) {
    const auto dropout = json.find("dropout");
    if (dropout && !dropout->is_zero()) dropout->fail_expecting("no dropout: tokens must not be random");
    if (json.boolean_or("byte_fallback", false)) json.at("byte_fallback").fail_expecting("false");
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        if (!json.text_or(key, "").empty()) json.at(key).fail_expecting("none, as in byte-level BPE");
    }
}

Model read_byte_pair(const JsonValue& json, const Vocabulary& vocabulary) {
    require_plain_byte_pair(json);
    BytePairOptions options;
    options.merges = read_merges(json.at("merges"));
    if (const auto unknown = json.find("unk_token")) options.unknown = unknown->text();
    options.fuse_unknown = json.boolean_or("fuse_unk", false);
    options.ignore_merges = json.boolean_or("ignore_merges", false);
    return byte_pair(json.where(), vocabulary, options);
}

// Old files do not say which they are.
std::string type_of_model(const JsonValue& json) {
    std::string type = json.text_or("type", json.find("merges") ? "BPE" : "WordPiece");
    if (type != "WordPiece" && type != "BPE")
        json.fail("is of type " + base::in_quotes(type) + ", which is not known here; expected WordPiece or BPE");
    return type;
}

[[noreturn]] void fail_unknown_type(const JsonValue& json, const std::string& known) {
    json.fail("is of type " + base::in_quotes(json.at("type").text()) + ", which is not known here; expected " + known);
}

Normalizer read_bert_normalizer(const JsonValue& json) {
    const bool lowercase = json.at("lowercase").boolean();
    return bert_normalizer({.clean_text = json.at("clean_text").boolean(),
                            .handle_chinese_chars = json.at("handle_chinese_chars").boolean(),
                            .strip_accents = json.boolean_or("strip_accents", lowercase),
                            .lowercase = lowercase});
}

Normalizer read_normalizer(const JsonValue& json) {
    const std::string& type = json.at("type").text();
    if (type == "BertNormalizer") return read_bert_normalizer(json);
    if (type == "Lowercase") return make_lowercase;
    if (type == "NFC" || type == "NFD" || type == "NFKC" || type == "NFKD") return normal_form(type);
    if (type != "Sequence")
        fail_unknown_type(json, "BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD or a Sequence of them");
    std::vector<Normalizer> steps;
    for (const JsonValue& item : json.at("normalizers").items()) steps.push_back(read_normalizer(item));
    return [steps](Characters& text) {
        for (const Normalizer& step : steps) step(text);
    };
}

// The one that goes with the model: BertPreTokenizer with WordPiece, ByteLevel with BPE. `root` is the whole file.
Splitter read_splitter(const JsonValue& root, const std::string& model) {
    const bool bytes = model == "BPE";
    const std::string expected = bytes ? "ByteLevel" : "BertPreTokenizer";
    const auto json = root.find("pre_tokenizer");
    if (!json) root.fail("has no pre_tokenizer; expected " + expected + ", to go with the model");
    if (json->at("type").text() != expected) fail_unknown_type(*json, expected + ", to go with the model");
    if (!bytes) return split_as_bert;
    return byte_level_splitter(
        {.add_prefix_space = json->at("add_prefix_space").boolean(), .use_regex = json->boolean_or("use_regex", true)});
}

// The vocabulary's, which must be what the file says.
std::int32_t agreed_id(const JsonValue& id, const std::string& token, const Vocabulary& vocabulary) {
    const std::int32_t known = vocabulary.require(id.path(), "one of the special tokens", token);
    if (id.whole_number() != known) {
        id.fail_expecting(std::to_string(known) + ", the id of " + base::in_quotes(token) + " in the vocabulary");
    }
    return known;
}

// Token type 0 is the only one that texts without a second one have; another could not be passed on.
void require_first_type(const JsonValue& item) {
    const auto type = item.find("type_id");
    if (type && type->whole_number() != 0) type->fail_expecting("0");
}

void append_special(const JsonValue& item, const JsonValue& specials, const Vocabulary& vocabulary,
                    std::vector<std::int32_t>& to) {
    require_first_type(item);
    const JsonValue entry = specials.at(item.at("id").text());
    const auto ids = entry.at("ids").items();
    const auto tokens = entry.at("tokens").items();
    if (ids.size() != tokens.size()) {
        entry.fail("has " + std::to_string(ids.size()) + " ids for " + std::to_string(tokens.size()) + " tokens");
    }
    for (std::size_t i = 0; i < ids.size(); ++i) to.push_back(agreed_id(ids[i], tokens[i].text(), vocabulary));
}

Frame read_template(const JsonValue& json, const Vocabulary& vocabulary) {
    Frame frame;
    bool text_seen = false;
    for (const JsonValue& item : json.at("single").items()) {
        if (const auto token = item.find("SpecialToken")) {
            append_special(*token, json.at("special_tokens"), vocabulary, text_seen ? frame.after : frame.before);
            continue;
        }
        const JsonValue sequence = item.at("Sequence");
        require_first_type(sequence);
        if (sequence.at("id").text() != "A" || text_seen) item.fail("is not the one text, A, that there is");
        text_seen = true;
    }
    if (!text_seen) json.at("single").fail("has no place for the text, \"Sequence\"");
    return frame;
}

// ["[SEP]", 102]
std::int32_t read_pair(const JsonValue& json, const Vocabulary& vocabulary) {
    const auto items = json.items();
    if (items.size() != 2) json.fail_expecting("a token and its id");
    return agreed_id(items[1], items[0].text(), vocabulary);
}

// The special tokens around a single text, which must be in the vocabulary.
Frame read_frame(const std::optional<JsonValue>& json, const Vocabulary& vocabulary) {
    if (!json) return {};
    const std::string& type = json->at("type").text();
    if (type == "TemplateProcessing") return read_template(*json, vocabulary);
    if (type == "BertProcessing") {
        return {{read_pair(json->at("cls"), vocabulary)}, {read_pair(json->at("sep"), vocabulary)}};
    }
    fail_unknown_type(*json, "TemplateProcessing or BertProcessing");
}

// Where tokenizer_config.json and the normalizer disagree, Python's transformers would believe the one, and its
// tokenizers the other.
void require_agreement(const JsonValue& configuration, const JsonValue& root) {
    const auto normalizer = root.find("normalizer");
    if (!normalizer || normalizer->text_or("type", "") != "BertNormalizer") return;
    for (const auto& [key, name] : {std::pair{"do_lower_case", "lowercase"},
                                    {"strip_accents", "strip_accents"},
                                    {"tokenize_chinese_chars", "handle_chinese_chars"}}) {
        const auto configured = configuration.find(key);
        const auto used = normalizer->find(name);
        if (!configured || !used || configured->boolean() == used->boolean()) continue;
        configured->fail(std::string(configured->boolean() ? "is true" : "is false") + " but " + used->where() +
                         " is not; make them agree");
    }
}

// From tokenizer.json, the file that the library `tokenizers` writes. `configuration` is tokenizer_config.json, which
// must not contradict it.
Tokenizer load_tokenizer_json(const std::string& folder, const JsonValue& configuration) {
    const std::string path = (std::filesystem::path(folder) / "tokenizer.json").string();
    const nlohmann::json json = snapshot::read_json_file(path);
    const JsonValue root(path, "", json);
    const auto version = root.find("version");
    if (version && version->text() != "1.0") version->fail_expecting("\"1.0\"");
    require_agreement(configuration, root);

    Vocabulary vocabulary;
    const JsonValue model_json = root.at("model");
    const std::string type = type_of_model(model_json);
    read_vocabulary(model_json.at("vocab"), vocabulary);
    Model model = (type == "BPE" ? read_byte_pair : read_word_piece)(model_json, vocabulary);
    Splitter splitter = read_splitter(root, type);
    const auto normalizer = root.find("normalizer");
    Normalizer normalize = normalizer ? read_normalizer(*normalizer) : Normalizer();
    const auto added = read_added_tokens(root.find("added_tokens"), vocabulary);
    Frame frame = read_frame(root.find("post_processor"), vocabulary);
    return {path,
            added,
            {.normalizer = std::move(normalize),
             .splitter = std::move(splitter),
             .model = std::move(model),
             .frame = std::move(frame),
             .vocabulary = std::move(vocabulary)}};
}

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

using SpecialTokens = std::map<std::string, std::string>;

// A special token is written as its text, or as an object with the text in "content".
SpecialTokens read_special_tokens(const JsonValue& configuration) {
    SpecialTokens special{{"unk_token", "[UNK]"},
                          {"sep_token", "[SEP]"},
                          {"pad_token", "[PAD]"},
                          {"cls_token", "[CLS]"},
                          {"mask_token", "[MASK]"}};
    for (auto& [key, token] : special)
        if (const auto found = configuration.find(key))
            token = found->is_object() ? found->at("content").text() : found->text();
    return special;
}

// The special tokens are found in text as well, those that the configuration does not list on top of those it lists.
std::vector<AddedToken> read_added(const JsonValue& configuration, const SpecialTokens& special,
                                   Vocabulary& vocabulary) {
    auto added = read_added_tokens_decoder(configuration.find("added_tokens_decoder"), vocabulary);
    for (const auto& [key, token] : special) {
        const auto id = vocabulary.find(token);
        const bool is_listed = std::ranges::find(added, token, &AddedToken::content) != added.end();
        if (id && !is_listed) added.push_back({.content = token, .id = *id});
    }
    return added;
}

// What every BERT with a vocab.txt has in common: its special tokens and WordPiece, behind the two parts given.
Tokenizer assemble_bert(const std::string& folder, const JsonValue& configuration, Normalizer normalizer,
                        Splitter splitter) {
    const std::string path = (std::filesystem::path(folder) / "vocab.txt").string();
    Vocabulary vocabulary = read_vocab_txt(path);
    const SpecialTokens special = read_special_tokens(configuration);
    Model model = word_piece(path, vocabulary, {.unknown = special.at("unk_token")});
    const auto added = read_added(configuration, special, vocabulary);
    Frame frame{{vocabulary.require(path, "cls_token", special.at("cls_token"))},
                {vocabulary.require(path, "sep_token", special.at("sep_token"))}};
    return {configuration.path(),
            added,
            {.normalizer = std::move(normalizer),
             .splitter = std::move(splitter),
             .model = std::move(model),
             .frame = std::move(frame),
             .vocabulary = std::move(vocabulary)}};
}

// BERT's: do_lower_case, strip_accents and tokenize_chinese_chars of `configuration` are followed.
Tokenizer load_vocab_txt(const std::string& folder, const JsonValue& configuration) {
    const bool lowercase = configuration.boolean_or("do_lower_case", true);
    const BertCleaning cleaning{.clean_text = true,
                                .handle_chinese_chars = configuration.boolean_or("tokenize_chinese_chars", true),
                                .strip_accents = configuration.boolean_or("strip_accents", lowercase),
                                .lowercase = lowercase};
    return assemble_bert(folder, configuration, bert_normalizer(cleaning), split_as_bert);
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
    Normalizer normalizer = read_mecab_settings(configuration) ? normal_form("NFKC", any_version) : Normalizer();
    return assemble_bert(folder, configuration, std::move(normalizer),
                         mecab_splitter(mecab_dictionary, configuration.boolean_or("do_lower_case", false)));
}

bool is_there(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
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
    if (is_there(place / "tokenizer.json")) return load_tokenizer_json(folder, configuration);
    if (is_there(place / "vocab.txt")) return load_vocab_txt(folder, configuration);
    base::fail(folder, "has neither tokenizer.json nor vocab.txt; download the whole model");
}

}  // namespace wordbreadth::encoder::tokenizer
