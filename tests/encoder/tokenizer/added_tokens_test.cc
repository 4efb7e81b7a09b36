#include "encoder/tokenizer/parts.h"

#include "encoder/tokenizer/tokenizer_testing.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

// The segments of a text as "begin-end" or "begin-end=id".
std::vector<std::string> segments_of(const std::vector<AddedToken>& tokens, const std::string& utf8) {
    const AddedTokens added("test", tokens, false, nullptr);
    DecodedText text;
    decode(utf8, text);
    std::vector<Segment> segments;
    added.split(text.characters, segments);
    std::vector<std::string> shown;
    for (const Segment& segment : segments) {
        shown.push_back(std::to_string(segment.range.begin) + "-" + std::to_string(segment.range.end) +
                        (segment.id ? "=" + std::to_string(*segment.id) : ""));
    }
    return shown;
}

using Shown = std::vector<std::string>;

TEST(AddedTokens, CutTheText) {
    EXPECT_EQ(segments_of({{.content = "<x>", .id = 7}}, "a<x>bc<x>"), (Shown{"0-1", "1-4=7", "4-6", "6-9=7"}));
}

TEST(AddedTokens, TheLongestIsTakenWhereSeveralBegin) {
    EXPECT_EQ(segments_of({{.content = "  ", .id = 2}, {.content = "    ", .id = 4}}, "       "),
              (Shown{"0-4=4", "4-6=2", "6-7"}));
}

TEST(AddedTokens, BeginBeyondAscii) {
    EXPECT_EQ(segments_of({{.content = "\u3010M\u3011", .id = 1}}, "\u3010\u3010M\u3011"), (Shown{"0-1", "1-4=1"}));
}

TEST(AddedTokens, TakeTheWhiteSpaceBeforeAndBehindThem) {
    EXPECT_EQ(segments_of({{.content = "X", .id = 1, .lstrip = true}}, "a \tX b"), (Shown{"0-1", "1-4=1", "4-6"}));
    EXPECT_EQ(segments_of({{.content = "X", .id = 1, .rstrip = true}}, "a X\u3000 b"), (Shown{"0-2", "2-5=1", "5-6"}));
    EXPECT_EQ(segments_of({{.content = "X", .id = 1, .lstrip = true, .rstrip = true}}, "X X"),
              (Shown{"0-2=1", "2-3=1"}));
}

// As in the library: only a token that takes the white space before it looks whether an earlier one has taken that.
TEST(AddedTokens, OfWhiteSpaceBeginWhereAnEarlierOneHasTakenIt) {
    const AddedToken x{.content = "X", .id = 1, .rstrip = true};
    EXPECT_EQ(segments_of({x, {.content = " Y", .id = 2}}, "X  Y"), (Shown{"0-3=1", "2-4=2"}));
    EXPECT_EQ(segments_of({x, {.content = " Y", .id = 2, .lstrip = true}}, "X  Y"), (Shown{"0-3=1", "3-4=2"}));
    EXPECT_EQ(segments_of({{.content = "  ", .id = 1, .lstrip = true, .rstrip = true}}, "      "), Shown{"0-6=1"});
}

TEST(AddedTokens, ASingleWordStandsAlone) {
    const std::vector<AddedToken> tokens{{.content = "day", .id = 1, .single_word = true}};
    EXPECT_EQ(segments_of(tokens, "monday day, days \u0301day"), (Shown{"0-7", "7-10=1", "10-21"}));
    EXPECT_EQ(segments_of(tokens, "day"), Shown{"0-3=1"});
}

TEST(AddedTokens, AreNormalizedWhereTheyAreLookedForInNormalizedText) {
    const std::vector<AddedToken> tokens{{.content = "Day", .id = 1, .normalized = true}, {.content = "X", .id = 2}};
    const AddedTokens added("test", tokens, true, make_lowercase);
    const Characters text{{'d', 0}, {'a', 1}, {'y', 2}, {'X', 3}};
    std::vector<Segment> segments;
    added.split(text, segments);
    ASSERT_EQ(segments.size(), 2U);
    EXPECT_EQ(segments[0].id, 1);
    EXPECT_FALSE(segments[1].id.has_value());
}

TEST(AddedTokens, WithNothingLeftAreRefused) {
    const std::vector<AddedToken> tokens{{.content = "\u0301", .id = 1, .normalized = true}};
    const std::string error = error_of([&] { AddedTokens("file.json", tokens, true, bert_normalizer({})); });
    EXPECT_TRUE(contains(error, "file.json: ")) << error;
}

TEST(AddedTokens, SpelledTheSameAreRefused) {
    const std::vector<AddedToken> tokens{{.content = "Day", .id = 1, .normalized = true},
                                         {.content = "DAY", .id = 2, .normalized = true}};
    const std::string error = error_of([&] { AddedTokens("file.json", tokens, true, make_lowercase); });
    EXPECT_TRUE(contains(error, "\"DAY\" is spelled like \"Day\"")) << error;
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
