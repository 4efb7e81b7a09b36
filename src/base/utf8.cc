#include "base/utf8.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/failure.h"

#pragma GCC diagnostic ignored "-Wconversion"  // the macros of ICU, used in this file only

namespace wordbreadth::base {

namespace {

// Eight bytes of ASCII without a NUL: most text, eight times as fast.
bool is_plain(const char* eight) {
    std::uint64_t word = 0;
    std::memcpy(&word, eight, sizeof word);
    constexpr std::uint64_t high_bits = 0x8080808080808080;
    constexpr std::uint64_t ones = 0x0101010101010101;
    return ((word | (word - ones)) & high_bits) == 0;
}

bool is_white_space(std::int32_t c) {
    if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');  // for speed
    return u_isUWhiteSpace(c) != 0;
}

}  // namespace

std::size_t first_fault(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        if (text.size() - at >= 8 && is_plain(text.data() + at)) {
            at += 8;
            continue;
        }
        const std::size_t begin = at;
        if (next_character(text, at) <= 0) return begin;
    }
    return std::string_view::npos;
}

void require_utf8(const std::string& path, std::uint64_t line, std::string_view text, std::size_t offset) {
    const std::size_t fault = first_fault(text);
    if (fault == std::string_view::npos) return;
    const std::string byte = std::to_string(offset + fault + 1);
    if (text[fault] == '\0') {
        fail_at(path, line, "byte " + byte + " of the line is NUL; expected UTF-8 text, not UTF-16 or a binary file");
    }
    fail_at(path, line,
            "byte " + byte + " of the line, " + hexadecimal(text[fault]) +
                ", is not UTF-8; convert the file, for example with iconv -f WINDOWS-1252 -t UTF-8");
}

std::int32_t next_character(std::string_view text, std::size_t& at) {
    UChar32 c = 0;
    U8_NEXT(text.data(), at, text.size(), c);
    return c;
}

void append_character(std::string& text, std::int32_t character) {
    std::array<char, 4> bytes;
    std::size_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, character);
    text.append(bytes.data(), size);
}

std::string hexadecimal(char c) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

std::int32_t first_character(std::string_view text) {
    std::size_t at = 0;
    return text.empty() ? 0 : next_character(text, at);
}

std::int32_t last_character(std::string_view text) {
    constexpr std::size_t longest = 4;
    if (text.empty()) return 0;
    text.remove_prefix(text.size() - std::min(text.size(), longest));
    UChar32 c = 0;
    auto at = static_cast<std::int32_t>(text.size());
    U8_PREV(text.data(), 0, at, c);
    return c;
}

std::size_t count_characters(std::string_view text) {
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_a_character));
}

std::optional<std::size_t> byte_of_character(std::string_view text, std::size_t index) {
    std::size_t at = 0;
    for (; index > 0 && at < text.size(); --index) U8_FWD_1(text.data(), at, text.size());
    return index == 0 ? std::optional(at) : std::nullopt;
}

std::size_t place_to_cut(std::string_view text, std::size_t limit) {
    const std::size_t space = text.substr(0, limit).find_last_of(" \t\n");
    if (space != std::string_view::npos) return space + 1;
    std::size_t at = limit;
    while (at > 0 && continues_a_character(text[at])) --at;
    return at > 0 ? at : limit;
}

std::string_view trimmed(std::string_view text) {
    std::size_t after = 0;
    while (!text.empty() && is_white_space(next_character(text, after))) {
        text.remove_prefix(std::exchange(after, 0));
    }
    while (!text.empty() && is_white_space(last_character(text))) {
        while (continues_a_character(text.back())) text.remove_suffix(1);
        text.remove_suffix(1);
    }
    return text;
}

}  // namespace wordbreadth::base
