// Every character of Unicode is what Python's `tokenizers` takes it for (tests/data/tokenizers/unicode.json).
#include "encoder/tokenizer/characters.h"

#include <functional>
#include <map>

#include "encoder/tokenizer/character_sets.h"
#include "encoder/tokenizer/parts.h"
#include "encoder/tokenizer/tokenizer_testing.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

constexpr char32_t end_of_unicode = 0x110000;
constexpr char32_t block = 0x1000;

bool is_surrogate(char32_t c) {
    return c >= 0xD800 && c < 0xE000;
}

const json& golden() {
    static const json content = json_of(fixture("unicode.json"));
    return content;
}

// Runs of characters for which `holds` is true, as the golden file has them.
json runs_of(const std::function<bool(char32_t)>& holds) {
    std::vector<std::array<std::uint32_t, 2>> runs;
    for (char32_t c = 0; c < end_of_unicode; ++c) {
        if (is_surrogate(c) || !holds(c)) continue;
        if (!runs.empty() && runs.back()[1] + 1 == c) {
            runs.back()[1] = c;
        } else {
            runs.push_back({c, c});
        }
    }
    return runs;
}

json runs_of(Property property) {
    return runs_of([property](char32_t c) { return is(property, c); });
}

Characters text_of(std::u32string_view values) {
    Characters text;
    for (const char32_t value : values) text.push_back({value, 0});
    return text;
}

TEST(TokenizerUnicode, Whitespace) {
    EXPECT_EQ(runs_of(Property::white_space), golden()["whitespace"]);
}

TEST(TokenizerUnicode, Controls) {
    EXPECT_EQ(runs_of([](char32_t c) { return is(Property::control, c) || c == 0xFFFD; }),
              golden()["removed by cleaning"]);
}

TEST(TokenizerUnicode, Punctuation) {
    EXPECT_EQ(runs_of(Property::punctuation), golden()["punctuation"]);
}

TEST(TokenizerUnicode, Ideographs) {
    EXPECT_EQ(runs_of(Property::ideograph), golden()["chinese"]);
}

TEST(TokenizerUnicode, Accents) {
    const Normalizer nfd = normal_form("NFD");
    const auto is_mark_in_one_piece = [&nfd](char32_t c) {
        if (!is(Property::accent, c)) return false;
        Characters text = text_of({&c, 1});
        nfd(text);
        return text.size() == 1 && text[0].value == c;
    };
    EXPECT_EQ(runs_of(is_mark_in_one_piece), golden()["nonspacing marks"]);
}

TEST(TokenizerUnicode, Letters) {
    EXPECT_EQ(runs_of(Property::letter), golden()["letters"]);
}

TEST(TokenizerUnicode, Numbers) {
    EXPECT_EQ(runs_of(Property::number), golden()["numbers"]);
}

TEST(TokenizerUnicode, WordCharacters) {
    EXPECT_EQ(runs_of(Property::word), golden()["word characters"]);
}

TEST(TokenizerUnicode, CombiningMarks) {
    EXPECT_EQ(runs_of(Property::mark), golden()["combining marks"]);
}

TEST(TokenizerUnicode, Digits) {
    EXPECT_EQ(runs_of(Property::digit), golden()["digits"]);
}

TEST(TokenizerUnicode, WordCharactersOfExpressions) {
    const CharacterSet set = set_of_word_characters();
    EXPECT_EQ(runs_of([&set](char32_t c) { return set.has(c); }), golden()["word characters of expressions"]);
}

// What becomes of each character, as digests by block.
json digests_of(const std::function<void(Characters&)>& change, const std::function<Characters(char32_t)>& text_with) {
    json digests = json::object();
    for (char32_t first = 0; first < end_of_unicode; first += block) {
        Digest digest;
        bool changes = false;
        for (char32_t c = first; c < first + block; ++c) {
            if (is_surrogate(c)) continue;
            Characters text = text_with(c);
            change(text);
            changes = changes || text.size() != 1 || text[0].value != c;
            digest.add(c);
            digest.add(static_cast<std::uint32_t>(text.size()));
            for (const Character part : text) digest.add(part.value);
        }
        std::array<char, 8> name{};
        (void)std::snprintf(name.data(), name.size(), "%x", static_cast<unsigned>(first));
        if (changes) digests[name.data()] = digest.text();
    }
    return digests;
}

Characters alone(char32_t c) {
    return text_of({&c, 1});
}

TEST(TokenizerUnicode, LowerCase) {
    EXPECT_EQ(digests_of(make_lowercase, alone), golden()["digests"]["Lowercase"]);
}

TEST(TokenizerUnicode, Scripts) {
    std::map<Script, char32_t> firsts;
    const auto first_of_its_script = [&firsts](Characters& text) {
        const Script script = script_of(text[0].value);
        if (script == any_script) return text.clear();
        text[0].value = firsts.try_emplace(script, text[0].value).first->second;
    };
    EXPECT_EQ(digests_of(first_of_its_script, alone), golden()["digests"]["script"]);
}

class TokenizerNormalForm : public testing::TestWithParam<const char*> {};

TEST_P(TokenizerNormalForm, EveryCharacter) {
    EXPECT_EQ(digests_of(normal_form(GetParam()), alone), golden()["digests"][GetParam()]);
}

INSTANTIATE_TEST_SUITE_P(Forms, TokenizerNormalForm, testing::Values("NFC", "NFD", "NFKC", "NFKD"),
                         [](const auto& form) { return std::string(form.param); });

TEST(TokenizerUnicode, OrderOfMarks) {
    const Normalizer nfd = normal_form("NFD");
    const auto among_marks = [](char32_t c) { return text_of(std::u32string{U'a', 0x345, c, 0x334}); };
    EXPECT_EQ(digests_of(nfd, among_marks), golden()["digests"]["NFD among marks"]);
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
