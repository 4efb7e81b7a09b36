// One call of Tokenizer::encode: its buffers, which its words share, and the tokens so far.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "encoder/tokenizer/parts.h"

namespace wordbreadth::encoder::tokenizer {

class EncodingRun {
  public:
    // Throws InputError when the special tokens alone are too many.
    EncodingRun(const Tokenizer::Parts& parts, const EncodeOptions& options);

    // Appends the tokens of a text, all of them with that word, or each with the word it came from.
    void append(std::string_view text, std::optional<std::int32_t> word);

    // True once nothing more fits.
    [[nodiscard]] bool full() const { return encoding_.truncated; }

    // With the special tokens.
    [[nodiscard]] Encoding finish();

  private:
    void append_raw(const Segment& segment);
    void append_normalized(const Segment& segment);
    void append_added(std::int32_t id, std::span<const Character> characters);
    void append_word(std::span<const Character> word);
    void append_piece(const Piece& piece);
    void append_special(std::span<const std::int32_t> ids);

    const Tokenizer::Parts& parts_;
    bool special_tokens_;
    std::size_t room_;  // for tokens that are not special
    Encoding encoding_;
    std::size_t ordinary_ = 0;  // of these, so far

    std::optional<std::int32_t> fixed_word_;
    std::int32_t word_ = 0;

    DecodedText text_;
    std::vector<Segment> raw_segments_;
    Characters normalized_;
    std::vector<Segment> normalized_segments_;
    Characters between_;
    std::vector<Range> words_;
    std::vector<Piece> pieces_;
};

}  // namespace wordbreadth::encoder::tokenizer
