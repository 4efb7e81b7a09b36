// Vocabularies and added tokens.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "base/failure.h"
#include "encoder/tokenizer/read.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

struct NumberedToken {
    JsonValue json;
    std::int64_t id;
};

AddedToken described(const JsonValue& json, bool normalized) {
    return {.content = json.at("content").text(),
            .single_word = json.boolean_or("single_word", false),
            .lstrip = json.boolean_or("lstrip", false),
            .rstrip = json.boolean_or("rstrip", false),
            .normalized = json.boolean_or("normalized", normalized)};
}

// A special token is written as an object, or as its text, which leaves the rest of `usual` as it is.
AddedToken special_token(const JsonValue& json, AddedToken usual) {
    if (json.is_object()) return described(json, false);
    usual.content = json.text();
    return usual;
}

bool is_among(const std::vector<AddedToken>& tokens, const std::string& content) {
    return std::ranges::find(tokens, content, &AddedToken::content) != tokens.end();
}

std::vector<AddedToken> numbered(const std::vector<NumberedToken>& tokens, Vocabulary& vocabulary, std::size_t size) {
    auto next = static_cast<std::int64_t>(size);
    std::vector<AddedToken> added;
    std::set<std::string> seen;
    for (const auto& [json, claimed] : tokens) {
        AddedToken token = described(json, !json.boolean_or("special", false));
        const std::string& content = token.content;
        if (content.empty() || !seen.insert(content).second) json.fail("is empty, or there twice; remove it");
        const auto known = vocabulary.find(content);
        const std::int64_t expected = known ? *known : next;
        if (claimed != expected)
            json.fail("gives " + base::in_quotes(content) + " the id " + std::to_string(claimed) + "; expected " +
                      std::to_string(expected) +
                      (known ? ", its id in the vocabulary" : ", the next one that is free"));
        if (!known) vocabulary.add(json.where(), content, next++);
        token.id = static_cast<std::int32_t>(expected);
        added.push_back(std::move(token));
    }
    return added;
}

// Ids by token. As in Python, the special ones are found in the text before it is normalized, the others behind.
std::vector<AddedToken> read_added_tokens_json(const std::string& path, const SpecialTokens& special,
                                               Vocabulary& vocabulary) {
    const nlohmann::json json = snapshot::read_json_file(path);
    const JsonValue ids(path, "", json);
    std::map<std::int64_t, nlohmann::json> by_id;
    for (const auto& [token, id] : ids.object().items()) {
        const bool is_special =
            is_among(special.others, token) || std::ranges::any_of(special.named, [&content = token](const auto& item) {
                return item.second.content == content;
            });
        const bool is_new =
            by_id.try_emplace(ids.at(token).whole_number(), nlohmann::json{{"content", token}, {"special", is_special}})
                .second;
        if (!is_new) ids.at(token).fail("is also the id of another token; expected a different id for each");
    }
    std::vector<NumberedToken> tokens;
    for (const auto& [id, token] : by_id) tokens.push_back({JsonValue(path, "", token), id});
    return numbered(tokens, vocabulary, vocabulary.ids().size());
}

// What the object of that name has, in the order of the file.
std::vector<JsonValue> members_in_order(const JsonValue& file, const char* name) {
    const std::string text = snapshot::read_text_file(file.path());
    const nlohmann::ordered_json members = nlohmann::ordered_json::parse(text).at(name);
    std::vector<JsonValue> values;
    for (const auto& [key, value] : members.items()) values.push_back(file.at(name).at(key));
    return values;
}

// By the names of their roles, which have the first ids, or in lists; under either name, the second since version 5 of
// Python's transformers.
void append_others(const JsonValue& file, std::vector<AddedToken>& to) {
    for (const bool by_role : {true, false}) {
        for (const char* name : {"additional_special_tokens", "extra_special_tokens"}) {
            const auto found = file.find(name);
            if (!found || found->is_object() != by_role) continue;
            for (const JsonValue& item : by_role ? members_in_order(file, name) : found->items()) {
                AddedToken token = special_token(item, {});
                if (!is_among(to, token.content)) to.push_back(std::move(token));
            }
        }
    }
}

// As Python's transformers gives them ids.
constexpr auto named_in_order = std::to_array<const char*>(
    {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"});

}  // namespace

std::vector<AddedToken> read_added_tokens(const std::optional<JsonValue>& list, Vocabulary& vocabulary,
                                          std::size_t next) {
    if (!list) return {};
    std::vector<NumberedToken> tokens;
    for (const JsonValue& item : list->items()) tokens.push_back({item, item.at("id").whole_number()});
    return numbered(tokens, vocabulary, next);
}

std::vector<AddedToken> read_added_tokens_decoder(const std::optional<JsonValue>& object, Vocabulary& vocabulary) {
    if (!object) return {};
    std::vector<NumberedToken> tokens;
    for (const auto& [key, value] : object->object().items()) {
        const auto id = base::number_in<std::int64_t>(key);
        if (!id) object->fail("has the key " + base::in_quotes(key) + "; expected the id of a token");
        tokens.push_back({object->at(key), *id});
    }
    std::ranges::sort(tokens, {}, &NumberedToken::id);
    return numbered(tokens, vocabulary, vocabulary.ids().size());
}

SpecialTokens read_special_tokens(const std::string& folder, const JsonValue& configuration, NamedTokens otherwise) {
    const std::string path = (std::filesystem::path(folder) / "special_tokens_map.json").string();
    std::error_code ignored;
    const nlohmann::json json =
        std::filesystem::exists(path, ignored) ? snapshot::read_json_file(path) : nlohmann::json::object();
    const JsonValue map(path, "", json);
    for (const char* key : named_in_order) {
        const auto configured = configuration.find(key), mapped = map.find(key);
        if (configured || mapped) otherwise[key] = special_token(configured ? *configured : *mapped, otherwise[key]);
    }
    SpecialTokens special{std::move(otherwise)};
    append_others(configuration, special.others);
    if (!configuration.find("added_tokens_decoder")) append_others(map, special.others);
    return special;
}

std::vector<AddedToken> read_added(const std::string& folder, const JsonValue& configuration,
                                   const SpecialTokens& special, Vocabulary& vocabulary) {
    const auto listed = configuration.find("added_tokens_decoder");
    const std::string path = (std::filesystem::path(folder) / "added_tokens.json").string();
    std::error_code ignored;
    auto added = !listed && std::filesystem::exists(path, ignored) ? read_added_tokens_json(path, special, vocabulary)
                                                                   : read_added_tokens_decoder(listed, vocabulary);
    const auto lacks = [&](const AddedToken& token) { return !vocabulary.find(token.content); };
    const auto append = [&](AddedToken token) {
        if (is_among(added, token.content)) return;
        if (lacks(token)) vocabulary.add(folder, token.content, std::ssize(vocabulary.ids()));
        token.id = *vocabulary.find(token.content);
        added.push_back(std::move(token));
    };
    // Python's transformers gives an id to all that the vocabulary lacks, to the named ones first, and the model has a
    // row for each of the others. For a named one alone there may be none: no text has it that the model was made for.
    const bool some_are_new = std::ranges::any_of(special.others, lacks);
    for (const char* name : named_in_order) {
        const auto token = special.named.find(name);
        if (token != special.named.end() && (some_are_new || !lacks(token->second))) append(token->second);
    }
    for (const AddedToken& token : special.others) append(token);
    return added;
}

void read_vocabulary(const JsonValue& object, Vocabulary& vocabulary) {
    const std::string where = object.where();
    const nlohmann::json& tokens = object.object();
    vocabulary.reserve(tokens.size());
    for (const auto& [token, id] : tokens.items()) {
        const auto* const number = id.get_ptr<const nlohmann::json::number_unsigned_t*>();
        if (number != nullptr && *number < limits::vocabulary) {
            vocabulary.add(where, token, static_cast<std::int64_t>(*number));
        } else {
            const JsonValue wrong(object.path(), "the id of " + base::in_quotes(token), id);
            vocabulary.add(where, token, wrong.whole_number());  // either of them says what is wrong
        }
    }
}

std::optional<std::pair<std::string, std::string>> merge_in(const std::string& line) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos) return std::nullopt;
    return std::pair(line.substr(0, space), line.substr(space + 1));
}

}  // namespace wordbreadth::encoder::tokenizer
