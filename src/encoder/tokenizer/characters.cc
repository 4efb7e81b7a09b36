#include "encoder/tokenizer/characters.h"

#include <unicode/uchar.h>
#include <unicode/uniset.h>

#include <array>
#include <stdexcept>

#include "base/utf8.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

// The character at `at`, which moves past it; negative when the bytes are not UTF-8.
std::int32_t next_character(std::string_view utf8, std::size_t& at) {
    const auto first = static_cast<unsigned char>(utf8[at]);
    if (first >= 0x80) return base::next_character(utf8, at);
    ++at;  // ASCII, which is most of most texts
    return first;
}

// Letters, numbers and marks that came with Unicode 15.1 and 16, which an older ICU takes for unassigned.
constexpr std::string_view newer_letters =
    R"([\x{1C89}-\x{1C8A} \x{A7CB}-\x{A7CD} \x{A7DA}-\x{A7DC} \x{105C0}-\x{105F3} \x{10D4A}-\x{10D65})"
    R"( \x{10D6F}-\x{10D85} \x{10EC2}-\x{10EC4} \x{11380}-\x{11389} \x{1138B} \x{1138E} \x{11390}-\x{113B5} \x{113B7})"
    R"( \x{113D1} \x{113D3} \x{11BC0}-\x{11BE0} \x{13460}-\x{143FA} \x{16100}-\x{1611D} \x{16D40}-\x{16D6C} \x{18CFF})"
    R"( \x{1E5D0}-\x{1E5ED} \x{1E5F0} \x{2EBF0}-\x{2EE5D}])";
constexpr std::string_view newer_numbers =
    R"([\x{10D40}-\x{10D49} \x{116D0}-\x{116E3} \x{11BF0}-\x{11BF9} \x{16130}-\x{16139} \x{16D70}-\x{16D79})"
    R"( \x{1CCF0}-\x{1CCF9} \x{1E5F1}-\x{1E5FA}])";
constexpr std::string_view newer_marks =
    R"([\x{0897} \x{10D69}-\x{10D6D} \x{10EFC} \x{113B8}-\x{113C0} \x{113C2} \x{113C5} \x{113C7}-\x{113CA})"
    R"( \x{113CC}-\x{113D0} \x{113D2} \x{113E1}-\x{113E2} \x{11F5A} \x{1611E}-\x{1612F} \x{1E5EE}-\x{1E5EF}])";

// Which characters have a property: the union of these sets, in ICU's notation.
struct PropertySet {
    Property property;
    std::string_view pattern;
};
constexpr auto property_sets = std::to_array<PropertySet>({
    {Property::white_space, "[:White_Space:]"},
    {Property::control, R"([[[:Cc:][:Cf:][:Co:]]&[:age=8.0:]-[\t\n\r]])"},
    // Two that are a symbol since Unicode 12 and a mark since 11.
    {Property::punctuation, R"([[[:P:]&[:age=8.0:]] !-/ \:-@ \[-` \{-~ \x{166D} \x{111C9}])"},
    // 2B920, where 2B820 was meant, is the library's: 256 ideographs are not set apart.
    {Property::ideograph, R"([\x{4E00}-\x{9FFF} \x{3400}-\x{4DBF} \x{20000}-\x{2A6DF} \x{2A700}-\x{2B73F})"
                          R"( \x{2B740}-\x{2B81F} \x{2B920}-\x{2CEAF} \x{F900}-\x{FAFF} \x{2F800}-\x{2FA1F}])"},
    // Two are marks since Unicode 9, two are nonspacing ones since 11; another was one until 14.
    {Property::accent, R"([[[:Mn:]&[:age=8.0:]-[\x{1885}\x{1886}\x{A9BD}\x{111C9}]]\x{1734}])"},
    {Property::word, "[[[:Alphabetic:][:Join_Control:][:M:][:Nd:][:Pc:]]&[:age=16.0:]]"},
    {Property::word, newer_letters},
    {Property::word, newer_numbers},
    {Property::word, newer_marks},
    {Property::letter, "[[:L:]&[:age=16.0:]]"},
    {Property::letter, newer_letters},
    {Property::number, "[[:N:]&[:age=16.0:]]"},
    {Property::number, newer_numbers},
});

// By character: a look-up costs one load, where ICU would be asked several questions for each.
std::vector<std::uint8_t> table_of_properties() {
    std::vector<std::uint8_t> table(UCHAR_MAX_VALUE + 1);
    for (const auto& [property, pattern] : property_sets) {
        UErrorCode error = U_ZERO_ERROR;
        const icu::UnicodeSet set(icu::UnicodeString::fromUTF8(pattern), error);
        if (U_FAILURE(error) != 0)
            throw std::runtime_error(std::string("ICU cannot find its data for characters: ") + u_errorName(error));
        for (std::int32_t i = 0; i < set.getRangeCount(); ++i)
            for (UChar32 c = set.getRangeStart(i); c <= set.getRangeEnd(i); ++c)
                table[static_cast<std::size_t>(c)] |= static_cast<std::uint8_t>(property);
    }
    return table;
}

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

}  // namespace

void decode(std::string_view utf8, DecodedText& to) {
    if (utf8.size() > limits::text_bytes)
        throw InputError("a text of " + std::to_string(utf8.size()) + " bytes is to be tokenized at once; at most " +
                         std::to_string(limits::text_bytes) + " are accepted: split it into sentences");
    to.characters.clear();
    to.starts.clear();
    to.characters.reserve(utf8.size());
    to.starts.reserve(utf8.size() + 1);
    for (std::size_t at = 0; at < utf8.size();) {
        const std::size_t start = at;
        const std::int32_t character = next_character(utf8, at);
        if (character < 0)
            throw InputError("not UTF-8: byte " + base::hexadecimal(utf8[start]) + " at offset " +
                             std::to_string(start) + " does not begin a whole character; convert the text to UTF-8");
        to.characters.push_back({static_cast<char32_t>(character), static_cast<std::uint32_t>(to.starts.size())});
        to.starts.push_back(static_cast<std::uint32_t>(start));
    }
    to.starts.push_back(static_cast<std::uint32_t>(utf8.size()));
}

std::optional<std::size_t> find_broken_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        if (next_character(text, at) < 0) return start;
    }
    return std::nullopt;
}

std::u32string to_utf32(std::string_view utf8) {
    std::u32string text;
    for (std::size_t at = 0; at < utf8.size();) text += static_cast<char32_t>(next_character(utf8, at));
    return text;
}

void append_utf8(std::string& to, char32_t character) {
    base::append_character(to, static_cast<std::int32_t>(character));
}

bool assigned_by(char32_t c, std::uint8_t major) {
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(c), age);
    return age[0] != 0 && age[0] <= major;
}

std::uint8_t properties_of(char32_t c) {
    static const std::vector<std::uint8_t> table = table_of_properties();
    return table[c];
}

char32_t lowercase_of(char32_t c) {
    if (c < 128) return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;  // most of most texts
    if (c == dotted_capital_i) return 'i';
    for (const auto& [first, last, distance] : newer_capitals)
        if (c >= first && c <= last) return static_cast<char32_t>(c + distance);
    return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
}

}  // namespace wordbreadth::encoder::tokenizer
