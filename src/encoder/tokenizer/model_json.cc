#include "encoder/tokenizer/model_json.h"

#include "base/failure.h"
#include "encoder/tokenizer/byte_pair.h"
#include "encoder/tokenizer/word_piece.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

void read_vocabulary(const snapshot::JsonValue& json, Vocabulary& vocabulary) {
    const std::string where = json.where();
    for (const auto& [token, id] : json.object().items()) {
        vocabulary.add(where, token,
                       snapshot::JsonValue(json.path(), "model.vocab of " + base::in_quotes(token), id).whole_number());
    }
}

std::unique_ptr<Model> read_word_piece(const snapshot::JsonValue& json, const Vocabulary& vocabulary) {
    const snapshot::JsonValue longest = json.at("max_input_chars_per_word");
    if (longest.whole_number() < 0) longest.fail_expecting("a number that is not negative");
    const WordPieceOptions options{.unknown = json.at("unk_token").text(),
                                   .continuing_prefix = json.at("continuing_subword_prefix").text(),
                                   .max_input_chars_per_word = static_cast<std::size_t>(longest.whole_number())};
    return std::make_unique<WordPiece>(json.where(), vocabulary, options);
}

// Older files write "a b", newer ones ["a", "b"].
std::pair<std::string, std::string> read_merge(const snapshot::JsonValue& json) {
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

// Only of old files, which have it as their first line.
bool is_version_line(const snapshot::JsonValue& json) {
    return json.is_text() && json.text().starts_with("#version");
}

std::vector<std::pair<std::string, std::string>> read_merges(const snapshot::JsonValue& json) {
    std::vector<std::pair<std::string, std::string>> merges;
    for (const snapshot::JsonValue& item : json.items()) {
        if (!is_version_line(item)) merges.push_back(read_merge(item));
    }
    if (merges.size() > limits::vocabulary) {
        json.fail("has " + std::to_string(merges.size()) + " merges; at most " + std::to_string(limits::vocabulary) +
                  " are accepted");
    }
    return merges;
}

void require_plain_byte_pair(const snapshot::JsonValue& json) {
    const auto dropout = json.find("dropout");
    if (dropout && !dropout->is_zero()) dropout->fail_expecting("no dropout: tokens must not be random");
    if (json.boolean_or("byte_fallback", false)) json.at("byte_fallback").fail_expecting("false");
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        if (!json.text_or(key, "").empty()) json.at(key).fail_expecting("none, as in byte-level BPE");
    }
}

std::unique_ptr<Model> read_byte_pair(const snapshot::JsonValue& json, const Vocabulary& vocabulary) {
    require_plain_byte_pair(json);
    BytePairOptions options;
    options.merges = read_merges(json.at("merges"));
    if (const auto unknown = json.find("unk_token")) options.unknown = unknown->text();
    options.fuse_unknown = json.boolean_or("fuse_unk", false);
    options.ignore_merges = json.boolean_or("ignore_merges", false);
    return std::make_unique<BytePair>(json.where(), vocabulary, options);
}

}  // namespace

ModelFromJson read_model(const snapshot::JsonValue& json, Vocabulary& vocabulary) {
    // Old files do not say which they are.
    const std::string type = json.text_or("type", json.find("merges") ? "BPE" : "WordPiece");
    if (type != "WordPiece" && type != "BPE") {
        json.fail("is of type " + base::in_quotes(type) + ", which is not known here; expected WordPiece or BPE");
    }
    read_vocabulary(json.at("vocab"), vocabulary);
    if (type == "BPE") return {ModelKind::byte_pair, read_byte_pair(json, vocabulary)};
    return {ModelKind::word_piece, read_word_piece(json, vocabulary)};
}

}  // namespace wordbreadth::encoder::tokenizer
