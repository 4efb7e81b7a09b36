// What comes behind the model, in tokenizer.json.
#include "base/failure.h"
#include "encoder/tokenizer/read.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

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

// BERT's and RoBERTa's: one token before the text, and one behind it.
Frame read_pairs(const JsonValue& json, const Vocabulary& vocabulary) {
    return {{read_pair(json.at("cls"), vocabulary)}, {read_pair(json.at("sep"), vocabulary)}};
}

bool is_empty(const Frame& frame) {
    return frame.before.empty() && frame.after.empty();
}

// Later parts go around earlier ones, but not around a template: the library applies them to each of its tokens, or
// leaves some of these out.
void append(const JsonValue& json, PostProcessing part, PostProcessing& to) {
    if (to.has_template && !is_empty(part.frame))
        json.fail(
            "adds special tokens to those of a TemplateProcessing, which is not supported; expected all of them "
            "in one TemplateProcessing");
    to.has_template = to.has_template || part.has_template;
    part.frame.before.insert(part.frame.before.end(), to.frame.before.begin(), to.frame.before.end());
    to.frame.before = std::move(part.frame.before);
    to.frame.after.insert(to.frame.after.end(), part.frame.after.begin(), part.frame.after.end());
    to.trims.insert(to.trims.end(), part.trims.begin(), part.trims.end());
}

std::vector<TrimOffsets> read_trims(const JsonValue& json) {
    const bool add_prefix_space = json.at("add_prefix_space").boolean();
    if (!json.at("trim_offsets").boolean()) return {};
    return {{.add_prefix_space = add_prefix_space}};
}

}  // namespace

PostProcessing read_post_processing(const JsonValue& json, const Vocabulary& vocabulary) {
    const std::string& type = json.at("type").text();
    if (type == "TemplateProcessing") {
        PostProcessing only{.frame = read_template(json, vocabulary)};
        only.has_template = !is_empty(only.frame);
        return only;
    }
    if (type == "BertProcessing") return {.frame = read_pairs(json, vocabulary)};
    if (type == "RobertaProcessing") return {.frame = read_pairs(json, vocabulary), .trims = read_trims(json)};
    if (type == "ByteLevel") return {.trims = read_trims(json)};
    if (type != "Sequence")
        fail_unknown_type(json,
                          "TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel or a Sequence of them");
    PostProcessing all;
    for (const JsonValue& item : json.at("processors").items())
        append(item, read_post_processing(item, vocabulary), all);
    return all;
}

}  // namespace wordbreadth::encoder::tokenizer
