// The tokens of a model and their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wordbreadth::encoder::tokenizer {

class Vocabulary {
  public:
    Vocabulary() = default;
    Vocabulary(Vocabulary&&) = default;
    Vocabulary& operator=(Vocabulary&&) = default;
    Vocabulary(const Vocabulary&) = delete;
    Vocabulary& operator=(const Vocabulary&) = delete;
    ~Vocabulary() = default;

    // `where` is what messages call the source: a file, and a place in it. Throws InputError when the token is not
    // UTF-8, is longer than limits::token_bytes, when the id is not within limits::vocabulary or belongs to another
    // token. A token that is already there gets the new id, as in the library `tokenizers`.
    void add(const std::string& where, const std::string& token, std::int64_t id);

    [[nodiscard]] std::optional<std::int32_t> find(std::string_view token) const;

    // Throws InputError, saying what the token is for, when it is not there.
    [[nodiscard]] std::int32_t require(const std::string& where, const std::string& what,
                                       const std::string& token) const;

    // "" when no token has the id.
    [[nodiscard]] std::string_view text(std::int32_t id) const;

    // How many tokens there are.
    [[nodiscard]] std::size_t size() const { return ids_.size(); }

    // All ids are below it.
    [[nodiscard]] std::int32_t end() const { return end_; }

    [[nodiscard]] const auto& ids() const { return ids_; }

  private:
    std::unordered_map<std::string, std::int32_t> ids_;
    std::unordered_map<std::int32_t, std::string_view> texts_;  // the views are of the keys above
    std::int32_t end_ = 0;
};

}  // namespace wordbreadth::encoder::tokenizer
