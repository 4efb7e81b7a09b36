#include "encoder/tokenizer/expression.h"

#include "encoder/tokenizer/tokenizer_testing.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

using Matches = std::vector<std::string>;

Matches matches_of(const Expression& expression, const std::string& utf8) {
    DecodedText text;
    decode(utf8, text);
    std::vector<Range> ranges;
    expression.find_all(text.characters, ranges);
    Matches matches;
    for (const auto& [begin, end] : ranges)
        matches.push_back(utf8.substr(text.starts[begin], text.starts[end] - text.starts[begin]));
    return matches;
}

Matches matches_of(const std::string& pattern, const std::string& text) {
    return matches_of(Expression("test", pattern), text);
}

TEST(Expression, TakesTheFirstAlternativeThatFits) {
    EXPECT_EQ(matches_of("ab|a|abc", "abcab"), (Matches{"ab", "ab"}));
}

TEST(Expression, RepetitionIsGreedyLazyOrPossessive) {
    EXPECT_EQ(matches_of("a{2,3}", "aaaaa"), (Matches{"aaa", "aa"}));
    EXPECT_EQ(matches_of("<.+?>", "<a><b>"), (Matches{"<a>", "<b>"}));
    EXPECT_EQ(matches_of("a+a", "aaa"), Matches{"aaa"});
    EXPECT_EQ(matches_of("a++a", "aaa"), Matches{});
    EXPECT_EQ(matches_of("(?:ab)+", "ababa"), Matches{"abab"});
}

TEST(Expression, LooksAroundItself) {
    EXPECT_EQ(matches_of(R"(\s+(?!\S)|\s+)", "a   b "), (Matches{"  ", " ", " "}));
    EXPECT_EQ(matches_of("(?<=x)a|(?<!x)b", "xa ab xb"), (Matches{"a", "b"}));
}

TEST(Expression, ALineEndsBeforeEveryLineFeedAndAtTheEndOfTheText) {
    EXPECT_EQ(matches_of(R"(\s+$)", "a \n"), Matches{" \n"});
    EXPECT_EQ(matches_of("$", "a\n"), (Matches{"", ""}));
    EXPECT_EQ(matches_of("a$", "a\nab"), Matches{"a"});
    EXPECT_EQ(matches_of("\n$\n", "a\n\n"), Matches{"\n\n"});
}

// What Oniguruma makes of them.
TEST(Expression, SuperscriptsAndFractionsOfLatin1AreWordCharactersButNotInBrackets) {
    const std::string text = "a\u00b2\u00bd!";
    EXPECT_EQ(matches_of(R"(\w+)", text), Matches{"a\u00b2\u00bd"});
    EXPECT_EQ(matches_of(R"(\W+)", text), Matches{"!"});
    EXPECT_EQ(matches_of(R"([\w]+)", text), Matches{"a"});
    for (const char* pattern : {R"([\W]+)", R"([^\w]+)", R"([^\w\s]+)", R"([^[\w]]+)"})
        EXPECT_EQ(matches_of(pattern, text), Matches{"\u00b2\u00bd!"}) << pattern;
    EXPECT_EQ(matches_of(R"(\b.)", "\u00b2a"), Matches{"\u00b2"});
}

TEST(Expression, SetsHaveRangesCategoriesAndSets) {
    EXPECT_EQ(matches_of(R"([^\s\p{L}\d]+)", "a1--\u00e9 \u0663!"), (Matches{"--", "!"}));
    EXPECT_EQ(matches_of("[a-c&&[^b]]+", "abcca"), (Matches{"a", "cca"}));
    EXPECT_EQ(matches_of(R"(\p{Han}+|\P{^Lu})", "A\u6f22\u5b57b"), (Matches{"A", "\u6f22\u5b57"}));
}

TEST(Expression, CaseCanBeIgnored) {
    EXPECT_EQ(matches_of("(?i:'s|'ll)x?", "'S 'lLX"), (Matches{"'S", "'lL"}));
}

TEST(Expression, EmptyMatchesAreFoundOnce) {
    EXPECT_EQ(matches_of("a*", "baa"), (Matches{"", "aa"}));
}

TEST(Expression, ALiteralMeansItself) {
    EXPECT_EQ(matches_of(Expression::of_literal("a.+"), "a.+ab+"), Matches{"a.+"});
}

TEST(Expression, SizeAtTheLimitAndPastIt) {
    const auto error = [](const std::string& pattern) { return error_of([&] { (void)Expression("file", pattern); }); };
    const std::size_t times = (limits::expression_instructions - 1) / 2;
    EXPECT_EQ(error("(?:ab){" + std::to_string(times) + "}"), "no error");
    EXPECT_TRUE(contains(error("(?:ab){" + std::to_string(times + 1) + "}"), "has more in it than is accepted"));
    EXPECT_EQ(error(std::string(limits::expression_sets, 'a')), "no error");
    EXPECT_TRUE(contains(error(std::string(limits::expression_sets + 1, 'a')), "too many characters and sets"));
}

TEST(Expression, OneThatTakesForEverIsStopped) {
    const std::string error = error_of([] { (void)matches_of("(?:a|aa)+b", std::string(60, 'a')); });
    EXPECT_TRUE(contains(error, "takes too long")) << error;
}

TEST(Expression, NoTextMakesTheStackGrow) {
    EXPECT_EQ(matches_of("(?:ab|cd)*", std::string(2'000'000, 'a')).size(), 2'000'001U);
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
