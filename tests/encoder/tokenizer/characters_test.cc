#include "encoder/tokenizer/characters.h"

#include "encoder/tokenizer/tokenizer_testing.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

std::u32string values_of(std::string_view utf8) {
    DecodedText text;
    decode(utf8, text);
    std::u32string values;
    for (const Character c : text.characters) values += c.value;
    return values;
}

std::string decoding_error(std::string_view utf8) {
    return error_of([&] { (void)values_of(utf8); });
}

TEST(TokenizerCharacters, LengthsOneToFour) {
    EXPECT_EQ(values_of("a\u00e9\u8a9e\U0001F600"), U"a\u00e9\u8a9e\U0001F600");
}

TEST(TokenizerCharacters, StartsCountBytes) {
    DecodedText text;
    decode("a\u00e9\u8a9e\U0001F600!", text);
    EXPECT_EQ(text.starts, (std::vector<std::uint32_t>{0, 1, 3, 6, 10, 11}));
}

TEST(TokenizerCharacters, FirstAndLastOfEveryLength) {
    const std::u32string all = U"\x01\x7F\x80\u07FF\u0800\uD7FF\uE000\uFFFF\U00010000\U0010FFFF";
    std::string utf8;
    for (const char32_t c : all) append_utf8(utf8, c);
    EXPECT_EQ(values_of(utf8), all);
}

TEST(TokenizerCharacters, NothingOfNothing) {
    DecodedText text;
    decode("", text);
    EXPECT_TRUE(text.characters.empty());
    EXPECT_EQ(text.starts, std::vector<std::uint32_t>{0});
}

struct Broken {
    const char* name;
    std::string_view text;
    std::size_t at;
};

class TokenizerBrokenUtf8 : public testing::TestWithParam<Broken> {};

TEST_P(TokenizerBrokenUtf8, IsToldWithItsOffset) {
    const std::string error = decoding_error(GetParam().text);
    EXPECT_TRUE(contains(error, "not UTF-8")) << error;
    EXPECT_TRUE(contains(error, "at offset " + std::to_string(GetParam().at) + " ")) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, TokenizerBrokenUtf8,
    testing::Values(Broken{"LoneContinuation", "ab\x80", 2}, Broken{"CutOff", "ab\xE8\xAA", 2},
                    Broken{"Latin1", "caf\xE9 x", 3}, Broken{"Overlong2", "\xC0\x80", 0},
                    Broken{"Overlong2Slash", "a\xC1\xAF", 1}, Broken{"Overlong3", "\xE0\x80\xAF", 0},
                    Broken{"Overlong4", "\xF0\x80\x80\xAF", 0}, Broken{"Surrogate", "x\xED\xA0\x80", 1},
                    Broken{"SurrogatePair", "\xED\xA0\xBD\xED\xB8\x80", 0},
                    Broken{"PastTheLast", "\xF4\x90\x80\x80", 0}, Broken{"FiveBytes", "\xF8\x88\x80\x80\x80", 0},
                    Broken{"FF", "abc\xFF", 3}, Broken{"SecondByteMissing", "\xE8z\xAA", 0},
                    Broken{"LastByteMissing", "\xE8\xAAz", 0}),
    [](const auto& broken) { return std::string(broken.param.name); });

TEST(TokenizerCharacters, TheByteIsTold) {
    EXPECT_TRUE(contains(decoding_error("caf\xE9 x"), "0xE9")) << decoding_error("caf\xE9 x");
}

TEST(TokenizerCharacters, ALargeTextAtTheLimit) {
    const std::string text(limits::text_bytes, 'a');
    EXPECT_EQ(values_of(text).size(), text.size());
}

TEST(TokenizerCharacters, ATextPastTheLimitIsRefused) {
    const std::string error = decoding_error(std::string(limits::text_bytes + 1, 'a'));
    EXPECT_TRUE(contains(error, std::to_string(limits::text_bytes))) << error;
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
