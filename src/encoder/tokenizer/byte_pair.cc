#include "encoder/tokenizer/byte_pair.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

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

std::string merge_name(std::size_t index, const std::pair<std::string, std::string>& merge) {
    return "part of merge " + std::to_string(index) + ", " + base::in_quotes(merge.first) + " and " +
           base::in_quotes(merge.second);
}

bool is_utf8(const std::string& bytes) {
    return !find_broken_utf8(bytes).has_value();
}

}  // namespace

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
        std::int32_t result = 0;

        // The earliest merge first, and from left to right.
        bool operator>(const Candidate& other) const {
            return rank != other.rank ? rank > other.rank : place > other.place;
        }
    };

    void append_byte(std::uint8_t byte, std::uint32_t origin) {
        const std::uint32_t length = alphabet[byte] < 0x80 ? 1 : 2;
        origins_.insert(origins_.end(), length, origin);
        const std::int32_t id = model_.bytes_[byte];
        if (id == nothing) return append_unknown(length);
        append_symbol(id, length);
        last_is_unknown_ = false;
    }

    void append_symbol(std::int32_t id, std::uint32_t length) {
        const auto place = static_cast<std::int32_t>(symbols_.size());
        symbols_.push_back({id, length, place - 1, nothing});
        if (place > 0) symbols_[place - 1].next = place;
    }

    void append_unknown(std::uint32_t length) {
        if (!model_.unknown_) return;
        if (last_is_unknown_ && model_.fuse_unknown_) {
            symbols_.back().length += length;
        } else {
            append_symbol(*model_.unknown_, length);
        }
        last_is_unknown_ = true;
    }

    void note(std::int32_t place) {
        if (place == nothing || symbols_[place].next == nothing) return;
        const Merge* found = model_.merge_of(symbols_[place].id, symbols_[symbols_[place].next].id);
        if (found != nullptr) candidates_.push({found->rank, place, found->result});
    }

    // What the pair at that place makes now is compared, not the pair itself: so does the library, and its tokens are
    // ours.
    [[nodiscard]] bool still_holds(const Candidate& candidate) const {
        const Symbol& left = symbols_[candidate.place];
        if (left.length == 0 || left.next == nothing) return false;
        const Merge* found = model_.merge_of(left.id, symbols_[left.next].id);
        return found != nullptr && found->result == candidate.result;
    }

    void merge_with_next(const Candidate& candidate) {
        Symbol& left = symbols_[candidate.place];
        Symbol& right = symbols_[left.next];
        left.id = candidate.result;
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

BytePair::BytePair(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options)
    : fuse_unknown_(options.fuse_unknown) {
    if (options.unknown) unknown_ = vocabulary.require(where, "the unknown token", *options.unknown);
    add_bytes(vocabulary);
    add_merges(where, vocabulary, options);
    add_whole_words(vocabulary, options.ignore_merges);
}

void BytePair::add_bytes(const Vocabulary& vocabulary) {
    for (std::size_t byte = 0; byte < bytes_.size(); ++byte) {
        std::string spelling;
        append_utf8(spelling, alphabet[byte]);
        bytes_[byte] = vocabulary.find(spelling).value_or(-1);
    }
}

void BytePair::add_merges(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options) {
    for (const auto& merge : options.merges) {
        const auto rank = static_cast<std::uint32_t>(merges_.size());
        const std::string what = merge_name(rank, merge);
        const std::int32_t left = vocabulary.require(where, what, merge.first);
        const std::int32_t right = vocabulary.require(where, what, merge.second);
        merges_.push_back({rank, vocabulary.require(where, what, merge.first + merge.second)});
        ranks_.set(pair_key(left, right), rank);
    }
}

// Tokens that the merges make again of their own bytes. A word equal to one needs no merging.
void BytePair::add_whole_words(const Vocabulary& vocabulary, bool ignore_merges) {
    DecodedText text;
    std::vector<Piece> pieces;
    for (const auto& [token, id] : vocabulary.ids()) {
        const auto bytes = bytes_of_token(to_utf32(token));
        if (!bytes || bytes->empty() || !is_utf8(*bytes)) continue;
        decode(*bytes, text);
        pieces.clear();
        append_merged(text.characters, pieces);
        if (ignore_merges || (pieces.size() == 1 && pieces.front().id == id)) whole_words_.add(to_utf32(*bytes), id);
    }
}

const BytePair::Merge* BytePair::merge_of(std::int32_t left, std::int32_t right) const {
    const auto rank = ranks_.find(pair_key(left, right));
    return rank ? &merges_[*rank] : nullptr;
}

void BytePair::append_merged(std::span<const Character> word, std::vector<Piece>& to) const {
    Word merged(*this, word);
    merged.merge();
    merged.append_pieces(to);
}

void BytePair::append_pieces(std::span<const Character> word, std::vector<Piece>& to) const {
    const auto match = whole_words_.longest(word);
    if (match && match->length == word.size()) {
        to.push_back(piece_over(match->value, word));
    } else {
        append_merged(word, to);
    }
}

}  // namespace wordbreadth::encoder::tokenizer
