// The models that make tokens of words, and the vocabulary that they take them from.
#include <algorithm>
#include <array>
#include <compare>
#include <functional>
#include <queue>

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
                              " both have the id " + std::to_string(id) + "; expected an id of its own for each");
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

// The printable characters that stand for the 256 bytes in the vocabularies of byte-level tokenizers (GPT-2's table).
// U+0100 to U+0143 stand for bytes that are no printable Latin-1 characters; the others stand for themselves.
constexpr bool stands_for_itself(unsigned byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr std::array<char32_t, 256> alphabet = [] {
    std::array<char32_t, 256> characters{};
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < characters.size(); ++byte) {
        characters[byte] = stands_for_itself(byte) ? byte : next++;
    }
    return characters;
}();

// The bytes that the token stands for; nothing when it has characters that stand for none.
std::optional<std::string> bytes_of_token(std::u32string_view token) {
    std::string bytes;
    for (const char32_t c : token) {
        const auto* found = std::ranges::find(alphabet, c);
        if (found == alphabet.end()) return std::nullopt;
        bytes += static_cast<char>(found - alphabet.begin());
    }
    return bytes;
}

std::uint64_t pair_key(std::int32_t left, std::int32_t right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

class BytePair {
  public:
    BytePair(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options)
        : fuse_unknown_(options.fuse_unknown) {
        if (options.unknown) unknown_ = vocabulary.require(where, "the unknown token", *options.unknown);
        for (std::size_t byte = 0; byte < bytes_.size(); ++byte) {
            std::string spelling;
            append_utf8(spelling, alphabet[byte]);
            bytes_[byte] = vocabulary.find(spelling).value_or(-1);
        }
        for (const auto& [left, right] : options.merges) {
            const auto rank = static_cast<std::uint32_t>(results_.size());
            const std::string what = "part of merge " + std::to_string(rank) + ", " + base::in_quotes(left) + " and " +
                                     base::in_quotes(right);
            const std::int32_t left_id = vocabulary.require(where, what, left);
            const std::int32_t right_id = vocabulary.require(where, what, right);
            results_.push_back(vocabulary.require(where, what, left + right));
            ranks_.set(pair_key(left_id, right_id), rank);
        }
        add_whole_words(vocabulary, options.ignore_merges);
    }

    void operator()(std::span<const Character> word, std::vector<Piece>& to) const {
        const auto match = whole_words_.longest(word);
        if (!match || match->length != word.size()) return append_merged(word, to);
        to.push_back(piece_over(match->value, word));
    }

  private:
    class Word;  // in the middle of being merged

    // Tokens that the merges make again of their own bytes. A word equal to one needs no merging.
    void add_whole_words(const Vocabulary& vocabulary, bool ignore_merges) {
        DecodedText text;
        std::vector<Piece> pieces;
        for (const auto& [token, id] : vocabulary.ids()) {
            const auto bytes = bytes_of_token(to_utf32(token));
            if (!bytes || bytes->empty() || find_broken_utf8(*bytes)) continue;
            decode(*bytes, text);
            pieces.clear();
            append_merged(text.characters, pieces);
            if (ignore_merges || (pieces.size() == 1 && pieces.front().id == id))
                whole_words_.add(to_utf32(*bytes), id);
        }
    }

    void append_merged(std::span<const Character> word, std::vector<Piece>& to) const;

    FlatMap ranks_;                      // of merges, by pairs of ids
    std::vector<std::int32_t> results_;  // of merges, by rank
    std::array<std::int32_t, 256> bytes_{};
    std::optional<std::int32_t> unknown_;
    bool fuse_unknown_;
    Trie whole_words_;  // words that are known to end as one token, most of any text
};

// One word while it is merged: a chain of symbols over the bytes of the word. Places and lengths count bytes of the
// word as it is spelled in the byte alphabet, since that is what the library `tokenizers` counts when bytes are missing
// from the vocabulary.
class BytePair::Word {
  public:
    Word(const BytePair& model, std::span<const Character> characters) : model_(model) {
        symbols_.reserve(2 * characters.size());
        origins_.reserve(2 * characters.size());
        std::string bytes;
        for (const Character c : characters) {
            bytes.clear();
            append_utf8(bytes, c.value);
            for (const char byte : bytes) append_byte(static_cast<std::uint8_t>(byte), c.origin);
        }
    }

    void merge() {
        for (std::int32_t place = 0; place < std::ssize(symbols_); ++place) note(place);
        while (!candidates_.empty()) {
            const Candidate best = candidates_.top();
            candidates_.pop();
            if (!still_holds(best)) continue;
            merge_with_next(best);
            note(symbols_[best.place].previous);
            note(best.place);
        }
    }

    void append_pieces(std::vector<Piece>& to) const {
        std::uint32_t at = 0;
        for (const Symbol& symbol : symbols_) {
            if (symbol.length == 0) continue;
            to.push_back({symbol.id, origins_[at], origins_[at + symbol.length - 1] + 1});
            at += symbol.length;
        }
    }

  private:
    static constexpr std::int32_t nothing = -1;

    struct Symbol {
        std::int32_t id = 0;
        std::uint32_t length = 0;  // 0: merged into the one before
        std::int32_t previous = nothing;
        std::int32_t next = nothing;
    };

    // A pair that can be merged, or could when it was noted down.
    struct Candidate {
        std::uint32_t rank = 0;
        std::int32_t place = 0;  // of the left symbol

        // The earliest merge first, and from left to right.
        friend auto operator<=>(const Candidate&, const Candidate&) = default;  // NOLINT(modernize-use-nullptr)
    };

    void append_byte(std::uint8_t byte, std::uint32_t origin) {
        const std::uint32_t length = alphabet[byte] < 0x80 ? 1 : 2;
        origins_.insert(origins_.end(), length, origin);
        const bool unknown = model_.bytes_[byte] == nothing;
        if (unknown && !model_.unknown_) return;
        if (unknown && last_is_unknown_ && model_.fuse_unknown_) {
            symbols_.back().length += length;
            return;
        }
        const auto place = static_cast<std::int32_t>(symbols_.size());
        symbols_.push_back({unknown ? *model_.unknown_ : model_.bytes_[byte], length, place - 1, nothing});
        if (place > 0) symbols_[place - 1].next = place;
        last_is_unknown_ = unknown;
    }

    // The rank of the merge of this symbol and the next, if there is one.
    [[nodiscard]] std::optional<std::uint32_t> rank_at(std::int32_t place) const {
        if (place == nothing || symbols_[place].length == 0 || symbols_[place].next == nothing) return std::nullopt;
        return model_.ranks_.find(pair_key(symbols_[place].id, symbols_[symbols_[place].next].id));
    }

    void note(std::int32_t place) {
        if (const auto rank = rank_at(place)) candidates_.push({*rank, place});
    }

    // What the pair at that place makes now is compared, not the pair itself: so does the library, and its tokens are
    // ours.
    [[nodiscard]] bool still_holds(const Candidate& candidate) const {
        const auto rank = rank_at(candidate.place);
        return rank && model_.results_[*rank] == model_.results_[candidate.rank];
    }

    void merge_with_next(const Candidate& candidate) {
        Symbol& left = symbols_[candidate.place];
        Symbol& right = symbols_[left.next];
        left.id = model_.results_[candidate.rank];
        left.length += right.length;
        left.next = right.next;
        right.length = 0;
        if (left.next != nothing) symbols_[left.next].previous = candidate.place;
    }

    const BytePair& model_;
    std::vector<Symbol> symbols_;
    std::vector<std::uint32_t> origins_;  // of each byte of the spelling
    bool last_is_unknown_ = false;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

void BytePair::append_merged(std::span<const Character> word, std::vector<Piece>& to) const {
    Word merged(*this, word);
    merged.merge();
    merged.append_pieces(to);
}

}  // namespace

Model word_piece(const std::string& where, const Vocabulary& vocabulary, const WordPieceOptions& options) {
    return WordPiece(where, vocabulary, options);
}

Model byte_pair(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options) {
    return BytePair(where, vocabulary, options);
}

}  // namespace wordbreadth::encoder::tokenizer
