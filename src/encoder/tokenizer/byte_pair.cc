#include "encoder/tokenizer/byte_pair.h"

#include "base/failure.h"
#include "encoder/tokenizer/byte_alphabet.h"
#include "encoder/tokenizer/byte_pair_word.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

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
        append_utf8(spelling, character_of_byte(static_cast<std::uint8_t>(byte)));
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
