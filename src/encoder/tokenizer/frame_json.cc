#include "base/failure.h"
#include "encoder/tokenizer/components_json.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

// The vocabulary's, which must be what the file says.
std::int32_t agreed_id(const snapshot::JsonValue& id, const std::string& token, const Vocabulary& vocabulary) {
    const std::int32_t known = vocabulary.require(id.path(), "one of the special tokens", token);
    if (id.whole_number() != known) {
        id.fail_expecting(std::to_string(known) + ", the id of " + base::in_quotes(token) + " in the vocabulary");
    }
    return known;
}

// Token type 0 is the only one that texts without a second one have; another could not be passed on.
void require_first_type(const snapshot::JsonValue& item) {
    const auto type = item.find("type_id");
    if (type && type->whole_number() != 0) type->fail_expecting("0");
}

void append_special(const snapshot::JsonValue& item, const snapshot::JsonValue& specials, const Vocabulary& vocabulary,
                    std::vector<std::int32_t>& to) {
    require_first_type(item);
    const snapshot::JsonValue entry = specials.at(item.at("id").text());
    const auto ids = entry.at("ids").items();
    const auto tokens = entry.at("tokens").items();
    if (ids.size() != tokens.size()) {
        entry.fail("has " + std::to_string(ids.size()) + " ids for " + std::to_string(tokens.size()) + " tokens");
    }
    for (std::size_t i = 0; i < ids.size(); ++i) to.push_back(agreed_id(ids[i], tokens[i].text(), vocabulary));
}

Frame read_template(const snapshot::JsonValue& json, const Vocabulary& vocabulary) {
    Frame frame;
    bool text_seen = false;
    for (const snapshot::JsonValue& item : json.at("single").items()) {
        if (const auto token = item.find("SpecialToken")) {
            append_special(*token, json.at("special_tokens"), vocabulary, text_seen ? frame.after : frame.before);
            continue;
        }
        const snapshot::JsonValue sequence = item.at("Sequence");
        require_first_type(sequence);
        if (sequence.at("id").text() != "A" || text_seen) item.fail("is not the one text, A, that there is");
        text_seen = true;
    }
    if (!text_seen) json.at("single").fail("has no place for the text, \"Sequence\"");
    return frame;
}

// ["[SEP]", 102]
std::int32_t read_pair(const snapshot::JsonValue& json, const Vocabulary& vocabulary) {
    const auto items = json.items();
    if (items.size() != 2) json.fail_expecting("a token and its id");
    return agreed_id(items[1], items[0].text(), vocabulary);
}

}  // namespace

Frame read_frame(const std::optional<snapshot::JsonValue>& json, const Vocabulary& vocabulary) {
    if (!json) return {};
    const std::string& type = json->at("type").text();
    if (type == "TemplateProcessing") return read_template(*json, vocabulary);
    if (type == "BertProcessing") {
        return {{read_pair(json->at("cls"), vocabulary)}, {read_pair(json->at("sep"), vocabulary)}};
    }
    fail_unknown_type(*json, "TemplateProcessing or BertProcessing");
}

}  // namespace wordbreadth::encoder::tokenizer
