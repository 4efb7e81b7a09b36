#include "encoder/tokenizer/characters.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <array>

#include "base/utf8.h"
#include "encoder/tokenizer/character_sets.h"
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

// Which characters have a property: the union of these sets, in ICU's notation.
struct PropertySet {
    Property property;
    std::string_view pattern;
    std::string_view newer;  // the categories whose newest characters have it as well
};
constexpr auto property_sets = std::to_array<PropertySet>({
    {Property::white_space, "[:White_Space:]", ""},
    {Property::control, R"([[[:Cc:][:Cf:][:Co:]]&[:age=8.0:]-[\t\n\r]])", ""},
    // Two that are a symbol since Unicode 12 and a mark since 11.
    {Property::punctuation, R"([[[:P:]&[:age=8.0:]] !-/ \:-@ \[-` \{-~ \x{166D} \x{111C9}])", ""},
    // 2B920, where 2B820 was meant, is the library's: 256 ideographs are not set apart.
    {Property::ideograph,
     R"([\x{4E00}-\x{9FFF} \x{3400}-\x{4DBF} \x{20000}-\x{2A6DF} \x{2A700}-\x{2B73F})"
     R"( \x{2B740}-\x{2B81F} \x{2B920}-\x{2CEAF} \x{F900}-\x{FAFF} \x{2F800}-\x{2FA1F}])",
     ""},
    // Two are marks since Unicode 9, two are nonspacing ones since 11; another was one until 14.
    {Property::accent, R"([[[:Mn:]&[:age=8.0:]-[\x{1885}\x{1886}\x{A9BD}\x{111C9}]]\x{1734}])", ""},
    {Property::word, "[[[:Alphabetic:][:Join_Control:][:M:][:Nd:][:Pc:]]&[:age=16.0:]]", "LMN"},
    {Property::letter, "[[:L:]&[:age=16.0:]]", "L"},
    {Property::number, "[[:N:]&[:age=16.0:]]", "N"},
    // One was punctuation until 11, and two are letters since 12.
    {Property::mark, R"([[[:M:]&[:age=9.0:]-[\x{111C9}]] \x{1CF2} \x{1CF3}])", ""},
    // Those of Unicode 17, which is Rust's.
    {Property::digit, R"([[[:N:]&[:age=17.0:]] \x{11DE0}-\x{11DE9} \x{16FF4}-\x{16FF6}])", "N"},
});

// By character: a look-up costs one load, where ICU would be asked several questions for each.
std::vector<std::uint16_t> table_of_properties() {
    std::vector<std::uint16_t> table(UCHAR_MAX_VALUE + 1);
    for (const auto& [property, pattern, newer] : property_sets) {
        CharacterSet set = set_of_pattern(std::string(pattern));
        for (const char category : newer) set.add(set_of_pattern(newer_characters({&category, 1})));
        for (char32_t c = 0; c < table.size(); ++c)
            if (set.has(c)) table[c] |= static_cast<std::uint16_t>(property);
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

UScriptCode script_in_9(char32_t c) {
    if (c == U' ' || !assigned_by(c, 9)) return USCRIPT_UNKNOWN;
    if (c == 0x0589 || c == 0x061C) return USCRIPT_COMMON;      // Armenian and Arabic since
    if (c == 0x0953 || c == 0x0954) return USCRIPT_DEVANAGARI;  // inherited since
    if (c == 0x30FC) return USCRIPT_HAN;  // the sign that makes a vowel long, common to the two syllabaries
    UErrorCode error = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &error);
    return script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ? USCRIPT_HAN : script;
}

std::vector<Script> table_of_scripts() {
    std::vector<Script> table(UCHAR_MAX_VALUE + 1);
    for (char32_t c = 0; c < table.size(); ++c) {
        const UScriptCode script = script_in_9(c);
        table[c] = script == USCRIPT_UNKNOWN ? any_script : static_cast<Script>(script);  // those of Unicode 9 are few
    }
    return table;
}

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

std::uint16_t properties_of(char32_t c) {
    static const std::vector<std::uint16_t> table = table_of_properties();
    return table[c];
}

char32_t lowercase_of(char32_t c) {
    if (c < 128) return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;  // most of most texts
    if (c == dotted_capital_i) return 'i';
    for (const auto& [first, last, distance] : newer_capitals)
        if (c >= first && c <= last) return static_cast<char32_t>(c + distance);
    return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
}

Script script_of(char32_t c) {
    static const std::vector<Script> table = table_of_scripts();
    return table[c];
}

}  // namespace wordbreadth::encoder::tokenizer
