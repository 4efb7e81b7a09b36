// UTF-8: validity, characters and white space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wordbreadth::base {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// Whether a byte is not the first of its character.
[[nodiscard]] constexpr bool continues_a_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Where the first byte stands that is not part of UTF-8 text, or npos. A NUL is taken for a fault: text has none, but
// UTF-16 and binary files do.
[[nodiscard]] std::size_t first_fault(std::string_view text);

// Throws InputError, with line and byte, when `text` is not UTF-8. `text` starts at byte `offset` of the line.
void require_utf8(const std::string& path, std::uint64_t line, std::string_view text, std::size_t offset = 0);

// The character that starts at byte `at`, which moves past it; negative when there is none.
[[nodiscard]] std::int32_t next_character(std::string_view text, std::size_t& at);

void append_character(std::string& text, std::int32_t character);

// "0xE9", for messages.
[[nodiscard]] std::string hexadecimal(char byte);

// 0 for empty text.
[[nodiscard]] std::int32_t first_character(std::string_view text);
[[nodiscard]] std::int32_t last_character(std::string_view text);

// Unicode characters (code points) of UTF-8 text.
[[nodiscard]] std::size_t count_characters(std::string_view text);

// The byte at which character `index` starts, text.size() for the one past the last; nothing beyond.
[[nodiscard]] std::optional<std::size_t> byte_of_character(std::string_view text, std::size_t index);

// The last place not after `limit` where `text`, longer than that, can be cut: after white space where there is some,
// else between two characters. Never 0.
[[nodiscard]] std::size_t place_to_cut(std::string_view text, std::size_t limit);

// Without white space (Unicode's) at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace wordbreadth::base
