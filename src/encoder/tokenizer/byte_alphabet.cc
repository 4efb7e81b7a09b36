#include "encoder/tokenizer/byte_alphabet.h"

#include <algorithm>
#include <array>

namespace wordbreadth::encoder::tokenizer {

namespace {

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

}  // namespace

char32_t character_of_byte(std::uint8_t byte) {
    return alphabet[byte];
}

std::optional<std::string> bytes_of_token(std::u32string_view token) {
    std::string bytes;
    for (const char32_t c : token) {
        const auto* found = std::ranges::find(alphabet, c);
        if (found == alphabet.end()) return std::nullopt;
        bytes += static_cast<char>(found - alphabet.begin());
    }
    return bytes;
}

}  // namespace wordbreadth::encoder::tokenizer
