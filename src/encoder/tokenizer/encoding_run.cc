#include "encoder/tokenizer/encoding_run.h"

#include "wordbreadth/error.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

std::size_t room_for_ordinary(const EncodeOptions& options, std::size_t special) {
    if (!options.special_tokens) return options.max_tokens;
    if (options.max_tokens >= special) return options.max_tokens - special;
    throw InputError("at most " + std::to_string(options.max_tokens) + " tokens a text are asked for, but the " +
                     std::to_string(special) + " special tokens of this model alone are more; ask for at least " +
                     std::to_string(special + 1));
}

std::span<const Character> part_of(const Characters& text, Range range) {
    return std::span(text).subspan(range.begin, range.end - range.begin);
}

}  // namespace

EncodingRun::EncodingRun(const Tokenizer::Parts& parts, const EncodeOptions& options)
    : parts_(parts), special_tokens_(options.special_tokens), room_(room_for_ordinary(options, parts.frame.size())) {
    if (special_tokens_) append_special(parts_.frame.before);
}

void EncodingRun::append_special(std::span<const std::int32_t> ids) {
    encoding_.ids.insert(encoding_.ids.end(), ids.begin(), ids.end());
    encoding_.bytes.resize(encoding_.ids.size());
    encoding_.characters.resize(encoding_.ids.size());
    encoding_.words.resize(encoding_.ids.size(), no_word);
}

void EncodingRun::append(std::string_view text, std::optional<std::int32_t> word) {
    fixed_word_ = word;
    decode(text, text_);
    parts_.added_raw.split(text_.characters, raw_segments_);
    for (const Segment& segment : raw_segments_) append_raw(segment);
}

void EncodingRun::append_raw(const Segment& segment) {
    const auto characters = part_of(text_.characters, segment.range);
    normalized_.assign(characters.begin(), characters.end());
    if (segment.id) {
        append_added(*segment.id, normalized_);
        return;
    }
    if (parts_.normalizer) parts_.normalizer->apply(normalized_);
    parts_.added_normalized.split(normalized_, normalized_segments_);
    for (const Segment& inner : normalized_segments_) append_normalized(inner);
}

void EncodingRun::append_normalized(const Segment& segment) {
    const auto characters = part_of(normalized_, segment.range);
    if (segment.id) {
        append_added(*segment.id, characters);
        return;
    }
    between_.assign(characters.begin(), characters.end());
    parts_.splitter->split(between_, words_);
    for (const Range word : words_) {
        if (full()) return;
        append_word(part_of(between_, word));
    }
}

void EncodingRun::append_added(std::int32_t id, std::span<const Character> characters) {
    append_piece(piece_over(id, characters));
    ++word_;
}

void EncodingRun::append_word(std::span<const Character> word) {
    pieces_.clear();
    parts_.model->append_pieces(word, pieces_);
    for (const Piece& piece : pieces_) append_piece(piece);
    ++word_;
}

void EncodingRun::append_piece(const Piece& piece) {
    if (ordinary_ == room_) {
        encoding_.truncated = true;
        return;
    }
    ++ordinary_;
    encoding_.ids.push_back(piece.id);
    encoding_.bytes.push_back({text_.starts[piece.begin], text_.starts[piece.end]});
    encoding_.characters.push_back({piece.begin, piece.end});
    encoding_.words.push_back(fixed_word_.value_or(word_));
}

Encoding EncodingRun::finish() {
    if (special_tokens_) append_special(parts_.frame.after);
    return std::move(encoding_);
}

}  // namespace wordbreadth::encoder::tokenizer
