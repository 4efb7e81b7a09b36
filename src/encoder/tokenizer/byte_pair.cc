#include <algorithm>
#include <array>
#include <compare>
#include <queue>

#include "base/failure.h"
#include "encoder/tokenizer/parts.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

using Text = std::span<const Character>;

std::uint64_t pair_key(std::int32_t left, std::int32_t right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

constexpr std::uint32_t utf8_length(char32_t c) {
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

class BytePair {
  public:
    BytePair(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options)
        : fuse_unknown_(options.fuse_unknown) {
        if (options.unknown) unknown_ = vocabulary.require(where, "the unknown token", *options.unknown);
        if (options.byte_fallback) bytes_ = ids_of_bytes(vocabulary);
        add_characters(vocabulary, options);
        add_merges(where, vocabulary, options);
        add_whole_words(vocabulary, options);
    }

    void operator()(Text word, std::vector<Piece>& to) const {
        const auto match = whole_words_.longest(word);
        if (!match || match->length != word.size()) return append_merged(word, to);
        to.push_back(piece_over(match->value, word));
    }

  private:
    class Word;  // in the middle of being merged

    // The token of a character, by where in the word it stands.
    void add_characters(const Vocabulary& vocabulary, const BytePairOptions& options) {
        const std::u32string prefix = to_utf32(options.continuing_prefix), suffix = to_utf32(options.end_suffix);
        for (const auto& [token, id] : vocabulary.ids()) {
            const std::u32string text = to_utf32(token);
            for (const bool continues : {false, true}) {
                for (const bool ends : {false, true}) {
                    std::u32string_view rest = text;
                    if (continues && !rest.starts_with(prefix)) continue;
                    if (continues) rest.remove_prefix(prefix.size());
                    if (ends && !rest.ends_with(suffix)) continue;
                    if (ends) rest.remove_suffix(suffix.size());
                    if (rest.size() == 1) characters_[continues][ends].set(rest[0], static_cast<std::uint32_t>(id));
                }
            }
        }
    }

    // A merge leaves out the prefix of its second token.
    void add_merges(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options) {
        for (const auto& [left, right] : options.merges) {
            const auto rank = static_cast<std::uint32_t>(results_.size());
            const std::string what = "part of merge " + std::to_string(rank) + ", " + base::in_quotes(left) + " and " +
                                     base::in_quotes(right);
            const std::int32_t left_id = vocabulary.require(where, what, left);
            const std::int32_t right_id = vocabulary.require(where, what, right);
            const std::size_t skipped = std::min(options.continuing_prefix.size(), right.size());
            results_.push_back(vocabulary.require(where, what, left + right.substr(skipped)));
            ranks_.set(pair_key(left_id, right_id), rank);
        }
    }

    // Words that the merges make one token of. A word equal to one needs no merging.
    void add_whole_words(const Vocabulary& vocabulary, const BytePairOptions& options) {
        DecodedText text;
        std::vector<Piece> pieces;
        for (const auto& [token, id] : vocabulary.ids()) {
            if (options.ignore_merges) {
                whole_words_.add(to_utf32(token), id);
                continue;
            }
            if (!token.ends_with(options.end_suffix) || token.size() == options.end_suffix.size()) continue;
            decode(std::string_view(token).substr(0, token.size() - options.end_suffix.size()), text);
            pieces.clear();
            append_merged(text.characters, pieces);
            const bool all = pieces.size() == 1 && pieces.front().begin == 0 &&
                             pieces.front().end == text.characters.size() && pieces.front().id == id;
            if (!all) continue;
            std::u32string word;
            for (const Character c : text.characters) word += c.value;
            whole_words_.add(word, id);
        }
    }

    void append_merged(Text word, std::vector<Piece>& to) const;

    FlatMap ranks_;                                       // of merges, by pairs of ids
    std::vector<std::int32_t> results_;                   // of merges, by rank
    std::array<std::array<FlatMap, 2>, 2> characters_{};  // by whether it continues a word, and whether it ends it
    std::optional<ByteTokens> bytes_;
    std::optional<std::int32_t> unknown_;
    bool fuse_unknown_;
    Trie whole_words_;  // words that are known to end as one token, most of any text
};

// One word while it is merged: a chain of symbols over the bytes of the word. Places and lengths count bytes, since
// that is what the library `tokenizers` counts when characters are missing from the vocabulary.
class BytePair::Word {
  public:
    Word(const BytePair& model, Text characters) : model_(model) {
        symbols_.reserve(characters.size());
        origins_.reserve(characters.size());
        for (std::size_t i = 0; i < characters.size(); ++i) {
            const Character c = characters[i];
            origins_.insert(origins_.end(), utf8_length(c.value), c.origin);
            append_character(c.value, i > 0, i + 1 == characters.size());
        }
        flush_unknown();
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
        const std::size_t last = origins_.size() - 1;  // bytes of a prefix can be more than there are
        std::size_t at = 0;
        for (const Symbol& symbol : symbols_) {
            if (symbol.length == 0) continue;
            const std::size_t end = at + symbol.length - 1;
            to.push_back({symbol.id, origins_[std::min(at, last)], origins_[std::min(end, last)] + 1});
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

    void append_character(char32_t c, bool continues, bool ends) {
        if (const auto id = model_.characters_[continues][ends].find(c)) {
            flush_unknown();
            return append(static_cast<std::int32_t>(*id), utf8_length(c));
        }
        if (model_.bytes_) {
            const Character character{c, 0};
            const auto ids = spelled_in(*model_.bytes_, {&character, 1});
            for (const std::int32_t id : ids) append(id, 1);  // before what is unknown and was before it: the library's
            if (!ids.empty()) return;
        }
        if (!model_.unknown_) return;
        if (!model_.fuse_unknown_) flush_unknown();
        unknown_length_ += utf8_length(c);
    }

    void flush_unknown() {
        if (unknown_length_ > 0) append(*model_.unknown_, unknown_length_);
        unknown_length_ = 0;
    }

    void append(std::int32_t id, std::uint32_t length) {
        const auto place = static_cast<std::int32_t>(symbols_.size());
        symbols_.push_back({id, length, place - 1, nothing});
        if (place > 0) symbols_[place - 1].next = place;
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
    std::vector<std::uint32_t> origins_;  // of each byte
    std::uint32_t unknown_length_ = 0;    // of what is unknown and not yet a symbol
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

void BytePair::append_merged(Text word, std::vector<Piece>& to) const {
    Word merged(*this, word);
    merged.merge();
    merged.append_pieces(to);
}

}  // namespace

Model byte_pair(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options) {
    return BytePair(where, vocabulary, options);
}

}  // namespace wordbreadth::encoder::tokenizer
