// The vocabulary, and WordPiece.
#include <algorithm>
#include <functional>

#include "base/failure.h"
#include "encoder/tokenizer/parts.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

void Vocabulary::add(const std::string& where, const std::string& token, std::int64_t id) {
    const auto name = [&] { return "the token " + base::in_quotes(token); };
    if (token.size() > limits::token_bytes)
        base::fail(where, name() + " has " + std::to_string(token.size()) + " bytes; at most " +
                              std::to_string(limits::token_bytes) + " are accepted");
    if (const auto at = find_broken_utf8(token))
        base::fail(where, "a token is not UTF-8 at byte " + std::to_string(*at) + "; convert the file to UTF-8");
    if (id < 0 || std::cmp_greater_equal(id, limits::vocabulary))
        base::fail(where, name() + " has the id " + std::to_string(id) + "; expected 0 to " +
                              std::to_string(limits::vocabulary - 1));
    const auto number = static_cast<std::int32_t>(id);
    const auto [known, is_new] = ids_.try_emplace(token, number);
    if (!is_new) texts_.erase(known->second);
    known->second = number;
    const auto [other, is_free] = texts_.try_emplace(number, known->first);
    if (!is_free) {
        base::fail(where, "the tokens " + base::in_quotes(other->second) + " and " + base::in_quotes(token) +
                              " both have the id " + std::to_string(id) + "; expected a different id for each");
    }
    end_ = std::max(end_, number + 1);
}

void Vocabulary::reserve(std::size_t tokens) {
    ids_.reserve(tokens);
    texts_.reserve(tokens);
}

std::optional<std::int32_t> Vocabulary::find(std::string_view token) const {
    const auto found = ids_.find(std::string(token));
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
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

ByteTokens ids_of_bytes(const Vocabulary& vocabulary) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    ByteTokens ids{};
    for (std::size_t byte = 0; byte < ids.size(); ++byte) {
        ids[byte] = vocabulary.find(std::string("<0x") + digits[byte / 16] + digits[byte % 16] + ">").value_or(-1);
    }
    return ids;
}

std::vector<std::int32_t> spelled_in(const ByteTokens& bytes, std::span<const Character> characters) {
    std::string utf8;
    for (const Character c : characters) append_utf8(utf8, c.value);
    std::vector<std::int32_t> ids;
    for (const char byte : utf8) {
        ids.push_back(bytes[static_cast<unsigned char>(byte)]);
        if (ids.back() < 0) return {};
    }
    return ids;
}

namespace {

// Most words, in a number that no other has: up to twelve small letters of ASCII, five bits each. Nothing for the rest.
template <class Letters, class Value = std::identity>
std::optional<std::uint64_t> packed(const Letters& letters, Value value = {}) {
    constexpr std::size_t most = 12;
    std::uint64_t number = 0;
    if (letters.size() > most) return std::nullopt;
    for (const auto& letter : letters) {
        const char32_t c = std::invoke(value, letter);
        if (c < U'a' || c > U'z') return std::nullopt;
        number = number << 5 | (c - U'a' + 1);
    }
    return number;
}

class WordPiece {
  public:
    WordPiece(const std::string& where, const Vocabulary& vocabulary, const WordPieceOptions& options)
        : unknown_(vocabulary.require(where, "the unknown token", options.unknown)),
          longest_word_(options.max_input_chars_per_word) {
        const std::u32string prefix = to_utf32(options.continuing_prefix);
        for (const auto& [token, id] : vocabulary.ids()) {
            const std::u32string text = to_utf32(token);
            beginnings_.add(text, id);
            if (const auto number = packed(text)) words_.set(*number, static_cast<std::uint32_t>(id));
            if (text.starts_with(prefix)) continuations_.add(std::u32string_view(text).substr(prefix.size()), id);
        }
    }

    void operator()(std::span<const Character> word, std::vector<Piece>& to) const {
        const std::size_t before = to.size();
        if (const auto id = whole(word)) return to.push_back(piece_over(*id, word));
        std::size_t at = word.size() <= longest_word_ ? 0 : word.size() + 1;
        while (at < word.size()) {
            const auto match = (at == 0 ? beginnings_ : continuations_).longest(word.subspan(at));
            if (!match) break;
            to.push_back(piece_over(match->value, word.subspan(at, match->length)));
            at += match->length;
        }
        if (at == word.size()) return;
        to.resize(before);
        to.push_back(piece_over(unknown_, word));
    }

  private:
    // A word that is a token is just that, since the longest token comes first: one look-up instead of one per letter.
    [[nodiscard]] std::optional<std::int32_t> whole(std::span<const Character> word) const {
        const auto number = packed(word, &Character::value);
        const auto id = number && word.size() <= longest_word_ ? words_.find(*number) : std::nullopt;
        return id ? std::optional(static_cast<std::int32_t>(*id)) : std::nullopt;
    }

    Trie beginnings_;
    Trie continuations_;
    FlatMap words_;  // of those that can be packed
    std::int32_t unknown_;
    std::size_t longest_word_;
};

}  // namespace

Model word_piece(const std::string& where, const Vocabulary& vocabulary, const WordPieceOptions& options) {
    return WordPiece(where, vocabulary, options);
}

}  // namespace wordbreadth::encoder::tokenizer
