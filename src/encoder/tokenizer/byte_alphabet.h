// The printable characters that stand for the 256 bytes in the vocabularies of byte-level tokenizers (GPT-2's table).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wordbreadth::encoder::tokenizer {

// U+0100 to U+0143 stand for bytes that are no printable Latin-1 characters; the others stand for themselves.
[[nodiscard]] char32_t character_of_byte(std::uint8_t byte);

// The bytes that the token stands for; nothing when it has characters that stand for none.
[[nodiscard]] std::optional<std::string> bytes_of_token(std::u32string_view token);

}  // namespace wordbreadth::encoder::tokenizer
