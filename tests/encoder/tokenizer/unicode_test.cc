// Every character of Unicode is what Python's `tokenizers` takes it for (tests/data/tokenizers/unicode.json).
#include "encoder/tokenizer/unicode.h"

#include <functional>

#include "encoder/tokenizer/normalizer.h"
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

// Runs of characters for which `property` holds, as the golden file has them.
json runs_of(const std::function<bool(char32_t)>& property) {
    std::vector<std::array<std::uint32_t, 2>> runs;
    for (char32_t c = 0; c < end_of_unicode; ++c) {
        if (is_surrogate(c) || !property(c)) continue;
        if (!runs.empty() && runs.back()[1] + 1 == c) {
            runs.back()[1] = c;
        } else {
            runs.push_back({c, c});
        }
    }
    return runs;
}

Characters text_of(std::u32string_view values) {
    Characters text;
    for (const char32_t value : values) text.push_back({value, 0});
    return text;
}

TEST(TokenizerUnicode, Whitespace) {
    EXPECT_EQ(runs_of(is_whitespace), golden()["whitespace"]);
}

TEST(TokenizerUnicode, Controls) {
    EXPECT_EQ(runs_of([](char32_t c) { return is_control(c) || c == 0xFFFD; }), golden()["removed by cleaning"]);
}

TEST(TokenizerUnicode, Punctuation) {
    EXPECT_EQ(runs_of(is_punctuation), golden()["punctuation"]);
}

TEST(TokenizerUnicode, Ideographs) {
    EXPECT_EQ(runs_of(is_chinese), golden()["chinese"]);
}

TEST(TokenizerUnicode, Accents) {
    const NormalForm nfd(Decomposition::canonical, false, library_normal_forms);
    const auto is_mark_in_one_piece = [&nfd](char32_t c) {
        if (!is_nonspacing_mark(c)) return false;
        Characters text = text_of({&c, 1});
        nfd.apply(text);
        return text.size() == 1 && text[0].value == c;
    };
    EXPECT_EQ(runs_of(is_mark_in_one_piece), golden()["nonspacing marks"]);
}

TEST(TokenizerUnicode, Letters) {
    EXPECT_EQ(runs_of([](char32_t c) { return kind_of(c) == Kind::letter; }), golden()["letters"]);
}

TEST(TokenizerUnicode, Numbers) {
    EXPECT_EQ(runs_of([](char32_t c) { return kind_of(c) == Kind::number; }), golden()["numbers"]);
}

TEST(TokenizerUnicode, SpaceOfTheByteLevelSplitIsWhitespace) {
    EXPECT_EQ(runs_of([](char32_t c) { return kind_of(c) == Kind::space; }), golden()["whitespace"]);
}

TEST(TokenizerUnicode, WordCharacters) {
    EXPECT_EQ(runs_of(is_word_character), golden()["word characters"]);
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
    const LowercaseNormalizer lowercase;
    EXPECT_EQ(digests_of([&](Characters& text) { lowercase.apply(text); }, alone), golden()["digests"]["Lowercase"]);
}

struct FormCase {
    const char* name;
    Decomposition decomposition;
    bool composed;
};

class TokenizerNormalForm : public testing::TestWithParam<FormCase> {};

TEST_P(TokenizerNormalForm, EveryCharacter) {
    const auto& [name, decomposition, composed] = GetParam();
    const NormalForm form(decomposition, composed, library_normal_forms);
    EXPECT_EQ(digests_of([&](Characters& text) { form.apply(text); }, alone), golden()["digests"][name]);
}

INSTANTIATE_TEST_SUITE_P(Forms, TokenizerNormalForm,
                         testing::Values(FormCase{"NFC", Decomposition::canonical, true},
                                         FormCase{"NFD", Decomposition::canonical, false},
                                         FormCase{"NFKC", Decomposition::compatible, true},
                                         FormCase{"NFKD", Decomposition::compatible, false}),
                         [](const auto& form) { return std::string(form.param.name); });

TEST(TokenizerUnicode, OrderOfMarks) {
    const NormalForm nfd(Decomposition::canonical, false, library_normal_forms);
    const auto among_marks = [](char32_t c) { return text_of(std::u32string{U'a', 0x345, c, 0x334}); };
    EXPECT_EQ(digests_of([&](Characters& text) { nfd.apply(text); }, among_marks),
              golden()["digests"]["NFD among marks"]);
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
