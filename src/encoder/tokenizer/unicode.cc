#include "encoder/tokenizer/unicode.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <span>

namespace wordbreadth::encoder::tokenizer {

namespace {

constexpr std::uint8_t version_of_categories = 8;
constexpr std::uint8_t version_of_kinds = 16;

// ---- ASCII, which is most of most texts, needs no questions to ICU

constexpr std::uint8_t punctuation_flag = 1;
constexpr std::uint8_t control_flag = 2;
constexpr std::uint8_t space_flag = 4;
constexpr std::uint8_t letter_flag = 8;
constexpr std::uint8_t number_flag = 16;

constexpr bool between(char32_t c, char32_t first, char32_t last) {
    return c >= first && c <= last;
}

constexpr bool ascii_is_control(char32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
}

constexpr bool ascii_is_space(char32_t c) {
    return c == ' ' || between(c, 0x09, 0x0D);
}

constexpr bool ascii_is_punctuation(char32_t c) {
    return between(c, '!', '/') || between(c, ':', '@') || between(c, '[', '`') || between(c, '{', '~');
}

constexpr std::uint8_t flags_of_ascii(char32_t c) {
    int flags = 0;
    if (ascii_is_punctuation(c)) flags |= punctuation_flag;
    if (ascii_is_control(c)) flags |= control_flag;
    if (ascii_is_space(c)) flags |= space_flag;
    if (between(c, 'A', 'Z') || between(c, 'a', 'z')) flags |= letter_flag;
    if (between(c, '0', '9')) flags |= number_flag;
    return static_cast<std::uint8_t>(flags);
}

constexpr std::array<std::uint8_t, 128> ascii_flags = [] {
    std::array<std::uint8_t, 128> flags{};
    for (char32_t c = 0; c < flags.size(); ++c) flags[c] = flags_of_ascii(c);
    return flags;
}();

bool is_ascii(char32_t c) {
    return c < 128;
}

bool ascii_has(char32_t c, std::uint8_t flag) {
    return (ascii_flags[c] & flag) != 0;
}

// ---- beyond ASCII

struct Block {
    char32_t first;
    char32_t last;
};

bool holds(std::span<const Block> blocks, char32_t c) {
    return std::ranges::any_of(blocks, [c](Block block) { return between(c, block.first, block.last); });
}

// Letters and numbers that came with Unicode 15.1 and 16, which an older ICU takes for unassigned.
constexpr auto newer_letters = std::to_array<Block>({
    {0x1C89, 0x1C8A},   {0xA7CB, 0xA7CD},   {0xA7DA, 0xA7DC},   {0x105C0, 0x105F3}, {0x10D4A, 0x10D65},
    {0x10D6F, 0x10D85}, {0x10EC2, 0x10EC4}, {0x11380, 0x11389}, {0x1138B, 0x1138B}, {0x1138E, 0x1138E},
    {0x11390, 0x113B5}, {0x113B7, 0x113B7}, {0x113D1, 0x113D1}, {0x113D3, 0x113D3}, {0x11BC0, 0x11BE0},
    {0x13460, 0x143FA}, {0x16100, 0x1611D}, {0x16D40, 0x16D6C}, {0x18CFF, 0x18CFF}, {0x1E5D0, 0x1E5ED},
    {0x1E5F0, 0x1E5F0}, {0x2EBF0, 0x2EE5D},
});
constexpr auto newer_numbers = std::to_array<Block>({
    {0x10D40, 0x10D49},
    {0x116D0, 0x116E3},
    {0x11BF0, 0x11BF9},
    {0x16130, 0x16139},
    {0x16D70, 0x16D79},
    {0x1CCF0, 0x1CCF9},
    {0x1E5F1, 0x1E5FA},
});

// Marks of the same age, of which only is_word_character() needs to know.
constexpr auto newer_marks = std::to_array<Block>({
    {0x0897, 0x0897},
    {0x10D69, 0x10D6D},
    {0x10EFC, 0x10EFC},
    {0x113B8, 0x113C0},
    {0x113C2, 0x113C2},
    {0x113C5, 0x113C5},
    {0x113C7, 0x113CA},
    {0x113CC, 0x113D0},
    {0x113D2, 0x113D2},
    {0x113E1, 0x113E2},
    {0x11F5A, 0x11F5A},
    {0x1611E, 0x1612F},
    {0x1E5EE, 0x1E5EF},
});

// Capitals that came with Unicode 16 and 17, and how far behind them their small letters are.
struct Capitals {
    char32_t first;
    char32_t last;
    std::int32_t distance;
};
constexpr auto newer_capitals = std::to_array<Capitals>({
    {0x1C89, 0x1C89, 1},
    {0xA7CB, 0xA7CB, 0x0264 - 0xA7CB},
    {0xA7CC, 0xA7CC, 1},
    {0xA7CE, 0xA7CE, 1},
    {0xA7D2, 0xA7D2, 1},
    {0xA7D4, 0xA7D4, 1},
    {0xA7DA, 0xA7DA, 1},
    {0xA7DC, 0xA7DC, 0x019B - 0xA7DC},
    {0x10D50, 0x10D65, 0x20},
    {0x16EA0, 0x16EB8, 0x1B},
});

// The category as Unicode 8 had it.
std::uint32_t category_mask(char32_t c) {
    switch (c) {
        case 0x166D:   // a symbol since 12
        case 0x111C9:  // a mark since 11
            return U_GC_PO_MASK;
        case 0x1734:  // a spacing mark since 14
            return U_GC_MN_MASK;
        case 0x1885:  // marks since 9
        case 0x1886:
            return U_GC_LO_MASK;
        case 0xA9BD:  // a nonspacing mark since 11
            return U_GC_MC_MASK;
        default:
            return assigned_by(c, version_of_categories) ? U_GET_GC_MASK(static_cast<UChar32>(c)) : U_GC_CN_MASK;
    }
}

bool has_category(char32_t c, std::uint32_t mask) {
    return (category_mask(c) & mask) != 0;
}

Kind kind_of_ascii(char32_t c) {
    if (ascii_has(c, letter_flag)) return Kind::letter;
    if (ascii_has(c, number_flag)) return Kind::number;
    return ascii_has(c, space_flag) ? Kind::space : Kind::other;
}

// Of a character that ICU does not know, or that Unicode 16 did not know.
Kind kind_of_unassigned(char32_t c) {
    if (holds(newer_letters, c)) return Kind::letter;
    return holds(newer_numbers, c) ? Kind::number : Kind::other;
}

}  // namespace

bool assigned_by(char32_t c, std::uint8_t major) {
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(c), age);
    return age[0] != 0 && age[0] <= major;
}

bool is_whitespace(char32_t c) {
    return is_ascii(c) ? ascii_has(c, space_flag) : u_isUWhiteSpace(static_cast<UChar32>(c)) != 0;
}

bool is_control(char32_t c) {
    return is_ascii(c) ? ascii_has(c, control_flag) : has_category(c, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK);
}

bool is_punctuation(char32_t c) {
    return is_ascii(c) ? ascii_has(c, punctuation_flag) : has_category(c, U_GC_P_MASK);
}

bool is_chinese(char32_t c) {
    // 0x2B920, where 0x2B820 was meant, is the library's: 256 ideographs are not set apart.
    constexpr auto blocks = std::to_array<Block>({
        {0x4E00, 0x9FFF},
        {0x3400, 0x4DBF},
        {0x20000, 0x2A6DF},
        {0x2A700, 0x2B73F},
        {0x2B740, 0x2B81F},
        {0x2B920, 0x2CEAF},
        {0xF900, 0xFAFF},
        {0x2F800, 0x2FA1F},
    });
    return c >= 0x3400 && holds(blocks, c);
}

bool is_nonspacing_mark(char32_t c) {
    return c >= 0x300 && has_category(c, U_GC_MN_MASK);
}

bool is_word_character(char32_t c) {
    const auto code = static_cast<UChar32>(c);
    if (!assigned_by(c, version_of_kinds)) return kind_of_unassigned(c) != Kind::other || holds(newer_marks, c);
    return u_hasBinaryProperty(code, UCHAR_ALPHABETIC) != 0 || u_hasBinaryProperty(code, UCHAR_JOIN_CONTROL) != 0 ||
           (U_GET_GC_MASK(code) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0;
}

Kind kind_of(char32_t c) {
    if (is_ascii(c)) return kind_of_ascii(c);
    if (!assigned_by(c, version_of_kinds)) return kind_of_unassigned(c);
    const std::uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(c));
    if ((category & U_GC_L_MASK) != 0) return Kind::letter;
    if ((category & U_GC_N_MASK) != 0) return Kind::number;
    return is_whitespace(c) ? Kind::space : Kind::other;
}

Lowercase lowercase_of(char32_t c) {
    if (is_ascii(c)) return {between(c, 'A', 'Z') ? c + ('a' - 'A') : c};
    if (c == 0x130) return {'i', 0x307};
    for (const Capitals& capitals : newer_capitals) {
        if (between(c, capitals.first, capitals.last)) return {static_cast<char32_t>(c + capitals.distance)};
    }
    return {static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)))};
}

}  // namespace wordbreadth::encoder::tokenizer
