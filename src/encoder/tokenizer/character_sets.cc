#include "encoder/tokenizer/character_sets.h"

#include <unicode/uchar.h>
#include <unicode/uniset.h>

#include <array>
#include <stdexcept>

namespace wordbreadth::encoder::tokenizer {

namespace {

struct CategorySet {
    std::string_view category;
    std::string_view characters;  // in ICU's notation
};

constexpr auto newer = std::to_array<CategorySet>({
    {"Ll", R"(\x{1C8A}\x{A7CD}\x{A7DB}\x{10D70}-\x{10D85})"},
    {"Lm", R"(\x{10D4E}\x{10D6F}\x{16D40}-\x{16D42}\x{16D6B}-\x{16D6C})"},
    {"Lo", R"(\x{105C0}-\x{105F3}\x{10D4A}-\x{10D4D}\x{10D4F}\x{10EC2}-\x{10EC4}\x{11380}-\x{11389}\x{1138B}\x{1138E})"
           R"(\x{11390}-\x{113B5}\x{113B7}\x{113D1}\x{113D3}\x{11BC0}-\x{11BE0}\x{13460}-\x{143FA}\x{16100}-\x{1611D})"
           R"(\x{16D43}-\x{16D6A}\x{18CFF}\x{1E5D0}-\x{1E5ED}\x{1E5F0}\x{2EBF0}-\x{2EE5D})"},
    {"Lu", R"(\x{1C89}\x{A7CB}-\x{A7CC}\x{A7DA}\x{A7DC}\x{10D50}-\x{10D65})"},
    {"Mc", R"(\x{113B8}-\x{113BA}\x{113C2}\x{113C5}\x{113C7}-\x{113CA}\x{113CC}-\x{113CD}\x{113CF}\x{1171E})"
           R"(\x{1612A}-\x{1612C})"},
    {"Mn", R"(\x{0897}\x{10D69}-\x{10D6D}\x{10EFC}\x{113BB}-\x{113C0}\x{113CE}\x{113D0}\x{113D2}\x{113E1}-\x{113E2})"
           R"(\x{11F5A}\x{1611E}-\x{16129}\x{1612D}-\x{1612F}\x{1E5EE}-\x{1E5EF})"},
    {"Nd", R"(\x{10D40}-\x{10D49}\x{116D0}-\x{116E3}\x{11BF0}-\x{11BF9}\x{16130}-\x{16139}\x{16D70}-\x{16D79})"
           R"(\x{1CCF0}-\x{1CCF9}\x{1E5F1}-\x{1E5FA})"},
    {"Pd", R"(\x{10D6E})"},
    {"Po", R"(\x{1B4E}-\x{1B4F}\x{1B7F}\x{113D4}-\x{113D5}\x{113D7}-\x{113D8}\x{11BE1}\x{16D6D}-\x{16D6F}\x{1E5FF})"},
    {"Sm", R"(\x{10D8E}-\x{10D8F})"},
    {"So", R"(\x{2427}-\x{2429}\x{2FFC}-\x{2FFF}\x{31E4}-\x{31E5}\x{31EF}\x{1CC00}-\x{1CCEF}\x{1CD00}-\x{1CEB3})"
           R"(\x{1F8B2}-\x{1F8BB}\x{1F8C0}-\x{1F8C1}\x{1FA89}\x{1FA8F}\x{1FABE}\x{1FAC6}\x{1FADC}\x{1FADF}\x{1FAE9})"
           R"(\x{1FBCB}-\x{1FBEF})"},
});

// The one that changed its category from 15 to 16: a mark that takes up space since.
constexpr std::string_view changed = R"(\x{1171E})";

CharacterSet assigned_in_16(const std::string& pattern) {
    return set_of_pattern("[" + pattern + "&[:age=16.0:]]");
}

// The letters that begin the name of a general category.
bool is_category(std::string_view name) {
    constexpr std::string_view kinds = "LMNPSZC";
    return !name.empty() && name.size() <= 2 && kinds.find(name.front()) != std::string_view::npos;
}

}  // namespace

void CharacterSet::add(char32_t first, char32_t last) {
    for (char32_t c = first; c <= last && c < characters; ++c)
        bits_[c / word_bits] |= std::uint64_t{1} << c % word_bits;
}

void CharacterSet::add(const CharacterSet& other) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
}

void CharacterSet::keep(const CharacterSet& other) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] &= other.bits_[i];
}

void CharacterSet::invert() {
    for (std::uint64_t& bits : bits_) bits = ~bits;
}

void CharacterSet::ignore_case() {
    CharacterSet folded;
    for (char32_t c = 0; c < characters; ++c) {
        if (!has(c)) continue;
        const auto fold = static_cast<char32_t>(u_foldCase(static_cast<UChar32>(c), U_FOLD_CASE_DEFAULT));
        folded.add(fold, fold);
    }
    for (char32_t c = 0; c < characters; ++c) {
        const auto fold = static_cast<char32_t>(u_foldCase(static_cast<UChar32>(c), U_FOLD_CASE_DEFAULT));
        if (folded.has(fold)) add(c, c);
    }
}

CharacterSet set_of_pattern(const std::string& pattern) {
    UErrorCode error = U_ZERO_ERROR;
    const icu::UnicodeSet found(icu::UnicodeString::fromUTF8(pattern), error);
    if (U_FAILURE(error) != 0)
        throw std::runtime_error(std::string("ICU cannot find its data for characters: ") + u_errorName(error));
    CharacterSet set;
    for (std::int32_t i = 0; i < found.getRangeCount(); ++i)
        set.add(static_cast<char32_t>(found.getRangeStart(i)), static_cast<char32_t>(found.getRangeEnd(i)));
    return set;
}

std::string newer_characters(std::string_view category) {
    std::string pattern = "[";
    for (const auto& [name, characters] : newer)
        if (name.starts_with(category)) pattern += characters;
    return pattern + "]";
}

std::optional<CharacterSet> set_of_property(std::string_view name) {
    const std::string text(name);
    if (is_category(name)) {
        if (u_getPropertyValueEnum(UCHAR_GENERAL_CATEGORY_MASK, text.c_str()) == UCHAR_INVALID_CODE)
            return std::nullopt;
        if (name == "C" || name == "Cn") return std::nullopt;  // what is unassigned depends on the version most of all
        const std::string without = name.starts_with("Mn") ? "-[" + std::string(changed) + "]" : "";
        CharacterSet set = assigned_in_16("[[:" + text + ":]" + without + "]");
        set.add(set_of_pattern(newer_characters(name)));
        return set;
    }
    if (u_getPropertyValueEnum(UCHAR_SCRIPT, text.c_str()) == UCHAR_INVALID_CODE) return std::nullopt;
    CharacterSet set = assigned_in_16("[:Script=" + text + ":]");
    if (name == "Han") set.add(0x2EBF0, 0x2EE5D);  // of Unicode 15.1
    return set;
}

CharacterSet set_of_word_characters_in_brackets() {
    CharacterSet set = assigned_in_16("[[:Alphabetic:][:M:][:Nd:][:Pc:]]");
    for (const char* category : {"L", "M", "N"}) set.add(set_of_pattern(newer_characters(category)));
    return set;
}

CharacterSet set_of_word_characters() {
    CharacterSet set = set_of_word_characters_in_brackets();
    set.add(set_of_pattern(R"([\xB2\xB3\xB9\xBC-\xBE])"));
    return set;
}

}  // namespace wordbreadth::encoder::tokenizer
