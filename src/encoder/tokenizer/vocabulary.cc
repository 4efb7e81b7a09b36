#include "encoder/tokenizer/vocabulary.h"

#include <algorithm>

#include "base/failure.h"
#include "encoder/tokenizer/characters.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

void require_good_token(const std::string& where, const std::string& token) {
    if (token.size() > limits::token_bytes) {
        base::fail(where, "the token " + base::in_quotes(token) + " has " + std::to_string(token.size()) +
                              " bytes; at most " + std::to_string(limits::token_bytes) + " are accepted");
    }
    require_utf8(where, "a token", token);
}

void require_good_id(const std::string& where, const std::string& token, std::int64_t id) {
    if (id >= 0 && id < static_cast<std::int64_t>(limits::vocabulary)) return;
    base::fail(where, "the token " + base::in_quotes(token) + " has the id " + std::to_string(id) + "; expected 0 to " +
                          std::to_string(limits::vocabulary - 1));
}

}  // namespace

void Vocabulary::add(const std::string& where, const std::string& token, std::int64_t id) {
    require_good_token(where, token);
    require_good_id(where, token, id);
    const auto number = static_cast<std::int32_t>(id);
    const auto [known, is_new] = ids_.try_emplace(token, number);
    if (!is_new) texts_.erase(known->second);
    known->second = number;
    const auto [other, is_free] = texts_.try_emplace(number, known->first);
    if (!is_free) {
        base::fail(where, "the tokens " + base::in_quotes(other->second) + " and " + base::in_quotes(token) +
                              " both have the id " + std::to_string(id) + "; expected an id of its own for each");
    }
    end_ = std::max(end_, number + 1);
}

std::optional<std::int32_t> Vocabulary::find(std::string_view token) const {
    const auto found = ids_.find(std::string(token));
    if (found == ids_.end()) return std::nullopt;
    return found->second;
}

std::int32_t Vocabulary::require(const std::string& where, const std::string& what, const std::string& token) const {
    if (const auto id = find(token)) return *id;
    base::fail(where, "has no token " + base::in_quotes(token) + ", which is " + what +
                          "; take vocabulary and configuration from the same model");
}

std::string_view Vocabulary::text(std::int32_t id) const {
    const auto found = texts_.find(id);
    return found == texts_.end() ? std::string_view() : found->second;
}

}  // namespace wordbreadth::encoder::tokenizer
