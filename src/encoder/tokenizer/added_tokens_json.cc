#include "encoder/tokenizer/added_tokens_json.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/failure.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

struct NumberedToken {
    snapshot::JsonValue json;
    std::int64_t id;
};

// Gives tokens ids as the library does: the vocabulary's, else one after the other from the vocabulary's size on.
class Numbering {
  public:
    explicit Numbering(Vocabulary& vocabulary) : vocabulary_(vocabulary), next_(std::ssize(vocabulary.ids())) {}

    std::int32_t id_for(const snapshot::JsonValue& json, const std::string& content, std::int64_t claimed) {
        const auto known = vocabulary_.find(content);
        const std::int64_t expected = known ? *known : next_;
        if (claimed != expected) {
            json.fail("gives " + base::in_quotes(content) + " the id " + std::to_string(claimed) + "; expected " +
                      std::to_string(expected) +
                      (known ? ", its id in the vocabulary" : ", the next one that is free"));
        }
        if (!known) vocabulary_.add(json.where(), content, next_++);
        return static_cast<std::int32_t>(expected);
    }

  private:
    Vocabulary& vocabulary_;
    std::int64_t next_;
};

std::vector<AddedToken> numbered(const std::vector<NumberedToken>& tokens, Vocabulary& vocabulary) {
    Numbering numbering(vocabulary);
    std::vector<AddedToken> added;
    std::set<std::string> seen;
    for (const auto& [json, id] : tokens) {
        const std::string& content = json.at("content").text();
        if (content.empty() || !seen.insert(content).second) json.fail("is empty, or there twice; remove it");
        added.push_back({.content = content,
                         .id = numbering.id_for(json, content, id),
                         .single_word = json.boolean_or("single_word", false),
                         .lstrip = json.boolean_or("lstrip", false),
                         .rstrip = json.boolean_or("rstrip", false),
                         .normalized = json.boolean_or("normalized", !json.boolean_or("special", false))});
    }
    return added;
}

std::int64_t parsed_id(const snapshot::JsonValue& json, const std::string& key) {
    std::int64_t id = -1;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error != std::errc() || end != key.data() + key.size()) {
        json.fail("has the key " + base::in_quotes(key) + "; expected the id of a token");
    }
    return id;
}

}  // namespace

std::vector<AddedToken> read_added_tokens(const std::optional<snapshot::JsonValue>& json, Vocabulary& vocabulary) {
    if (!json) return {};
    std::vector<NumberedToken> tokens;
    for (const snapshot::JsonValue& item : json->items()) tokens.push_back({item, item.at("id").whole_number()});
    return numbered(tokens, vocabulary);
}

std::vector<AddedToken> read_added_tokens_decoder(const std::optional<snapshot::JsonValue>& json,
                                                  Vocabulary& vocabulary) {
    if (!json) return {};
    std::vector<NumberedToken> tokens;
    for (const auto& [key, value] : json->object().items()) {
        tokens.push_back({json->at(key), parsed_id(*json, key)});
    }
    std::ranges::sort(tokens, {}, &NumberedToken::id);
    return numbered(tokens, vocabulary);
}

}  // namespace wordbreadth::encoder::tokenizer
