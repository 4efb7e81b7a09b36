// The normalizers that replace, add or remove characters one by one.
#include <algorithm>
#include <array>

#include "encoder/tokenizer/parts.h"

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

bool goes_for_nmt(char32_t c) {
    return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
}

bool is_space_for_nmt(char32_t c) {
    constexpr std::u32string_view spaces =
        U"\t\n\f\r\u1680\u200B\u200C\u200D\u200E\u200F\u2028\u2029\u2581\uFEFF\uFFFD";
    return spaces.find(c) != std::u32string_view::npos;
}

}  // namespace

Normalizer replacing(Expression pattern, std::string_view content) {
    return [pattern = std::move(pattern), content = to_utf32(content)](Characters& text) {
        std::vector<Range> matches;
        pattern.find_all(text, matches);
        if (matches.empty()) return;
        Characters result;
        result.reserve(text.size() + matches.size() * content.size());
        const auto begin = text.begin();
        std::size_t at = 0;
        for (const Range match : matches) {
            result.insert(result.end(), begin + static_cast<std::ptrdiff_t>(at),
                          begin + static_cast<std::ptrdiff_t>(match.begin));
            const std::uint32_t origin = match.end > 0 ? text[match.end - 1].origin : text.empty() ? 0 : text[0].origin;
            for (const char32_t c : content) result.push_back({c, origin});
            at = match.end;
        }
        result.insert(result.end(), begin + static_cast<std::ptrdiff_t>(at), text.end());
        text = std::move(result);
    };
}

Normalizer prepending(std::string_view text) {
    return [prefix = to_utf32(text)](Characters& characters) {
        if (characters.empty()) return;
        const std::uint32_t origin = characters.front().origin;
        Characters added;
        for (const char32_t c : prefix) added.push_back({c, origin});
        characters.insert(characters.begin(), added.begin(), added.end());
    };
}

Normalizer stripping(bool left, bool right) {
    return [left, right](Characters& text) {
        const auto is_ink = [](Character c) { return !is(Property::white_space, c.value); };
        if (right) text.erase(std::find_if(text.rbegin(), text.rend(), is_ink).base(), text.end());
        if (left) text.erase(text.begin(), std::ranges::find_if(text, is_ink));
    };
}

void strip_marks(Characters& text) {
    std::erase_if(text, [](Character c) { return is(Property::mark, c.value); });
}

void clean_as_nmt(Characters& text) {
    std::erase_if(text, [](Character c) { return goes_for_nmt(c.value); });
    for (Character& c : text)
        if (is_space_for_nmt(c.value)) c.value = ' ';
}

void spell_in_bytes(Characters& text) {
    if (std::ranges::all_of(text, [](Character c) { return c.value < 0x80; })) {
        for (Character& c : text) c.value = alphabet[c.value];
        return;
    }
    Characters spelled;
    spelled.reserve(2 * text.size());
    std::string bytes;
    for (const Character c : text) {
        bytes.clear();
        append_utf8(bytes, c.value);
        for (const char byte : bytes) spelled.push_back({alphabet[static_cast<unsigned char>(byte)], c.origin});
    }
    text = std::move(spelled);
}

}  // namespace wordbreadth::encoder::tokenizer
