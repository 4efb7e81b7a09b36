#include "encoder/tokenizer/characters.h"

#include <unicode/utf8.h>

#include <array>

#include "base/failure.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

constexpr char32_t broken = 0xFFFFFFFF;

// How many bytes a character has that begins with this one; 0 when none does.
std::size_t length_by_first(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    return first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4);
}

// Not overlong, no surrogate, not past the last character.
bool is_allowed(char32_t c, std::size_t length) {
    constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    return c >= smallest[length] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
}

char32_t longer_character(std::string_view utf8, std::size_t at, std::size_t length) {
    char32_t c = static_cast<unsigned char>(utf8[at]) & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(utf8[at + i]);
        if ((byte & 0xC0) != 0x80) return broken;
        c = c << 6 | (byte & 0x3F);
    }
    return is_allowed(c, length) ? c : broken;
}

// The character at `at`, which is moved behind it; or `broken`.
char32_t next_character(std::string_view utf8, std::size_t& at) {
    const auto first = static_cast<unsigned char>(utf8[at]);
    if (first < 0x80) {
        ++at;
        return first;
    }
    const std::size_t length = length_by_first(first);
    const std::size_t start = at;
    const bool whole = length > 0 && length <= utf8.size() - at;
    at += whole ? length : 1;
    return whole ? longer_character(utf8, start, length) : broken;
}

std::string in_hexadecimal(char c) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

std::string told_as_broken(std::string_view utf8, std::size_t at) {
    return "not UTF-8: byte " + in_hexadecimal(utf8[at]) + " at offset " + std::to_string(at) +
           " does not begin a whole character; convert the text to UTF-8";
}

void require_acceptable_length(std::string_view utf8) {
    if (utf8.size() <= limits::text_bytes) return;
    throw InputError("a text of " + std::to_string(utf8.size()) + " bytes is to be tokenized at once; at most " +
                     std::to_string(limits::text_bytes) + " are accepted: split it into sentences");
}

}  // namespace

void decode(std::string_view utf8, DecodedText& to) {
    require_acceptable_length(utf8);
    to.characters.clear();
    to.starts.clear();
    for (std::size_t at = 0; at < utf8.size();) {
        const std::size_t start = at;
        const char32_t character = next_character(utf8, at);
        if (character == broken) throw InputError(told_as_broken(utf8, start));
        to.characters.push_back({character, static_cast<std::uint32_t>(to.starts.size())});
        to.starts.push_back(static_cast<std::uint32_t>(start));
    }
    to.starts.push_back(static_cast<std::uint32_t>(utf8.size()));
}

std::optional<std::size_t> find_broken_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        if (next_character(text, at) == broken) return start;
    }
    return std::nullopt;
}

std::u32string to_utf32(std::string_view utf8) {
    std::u32string text;
    for (std::size_t at = 0; at < utf8.size();) text += next_character(utf8, at);
    return text;
}

void append_utf8(std::string& to, char32_t character) {
    char bytes[U8_MAX_LENGTH];
    std::int32_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, static_cast<std::int32_t>(character));
    to.append(bytes, static_cast<std::size_t>(length));
}

void require_utf8(const std::string& where, const std::string& what, std::string_view text) {
    if (const auto at = find_broken_utf8(text)) {
        base::fail(where, what + " is not UTF-8 at byte " + std::to_string(*at) + "; convert the file to UTF-8");
    }
}

}  // namespace wordbreadth::encoder::tokenizer
