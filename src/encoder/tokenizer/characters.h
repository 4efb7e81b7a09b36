// Text as the tokenizers work on it: characters that remember which character of the original text they came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::encoder::tokenizer {

struct Character {
    char32_t value = 0;
    std::uint32_t origin = 0;  // the index of a character of the original text
};

using Characters = std::vector<Character>;

// Part of a list of characters, half-open.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct DecodedText {
    Characters characters;              // origin counts from 0
    std::vector<std::uint32_t> starts;  // the byte where each character starts, and last the number of bytes
};

// Decodes UTF-8 into `to`, whose memory is used again. Throws InputError, naming the byte, when the text is not UTF-8
// (surrogates and overlong forms are not) or longer than limits::text_bytes.
void decode(std::string_view utf8, DecodedText& to);

// The offset of the first byte that is not UTF-8, if there is one.
[[nodiscard]] std::optional<std::size_t> find_broken_utf8(std::string_view text);

// Text that is known to be UTF-8, such as the tokens of a vocabulary that was checked.
[[nodiscard]] std::u32string to_utf32(std::string_view utf8);

void append_utf8(std::string& to, char32_t character);

// Throws InputError("where: what") unless `text` is UTF-8; `what` begins a sentence that goes on "... is not UTF-8".
void require_utf8(const std::string& where, const std::string& what, std::string_view text);

}  // namespace wordbreadth::encoder::tokenizer
