#include "extraction/analyst.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wordbreadth::extraction {
namespace {

std::vector<std::string> words_of(const std::string& text) {
    WordFinder finder;
    std::vector<std::string> words;
    for (const TextRange range : finder.find(text)) words.push_back(text.substr(range.begin, range.end - range.begin));
    return words;
}

std::string lowercase(const std::string& text) {
    std::string result;
    append_lowercase(result, text);
    return result;
}

using Words = std::vector<std::string>;

TEST(WordFinder, LeavesPunctuationAndNumbersOut) {
    EXPECT_EQ(words_of("The bank, 1987: 3.5% well-known!"), (Words{"The", "bank", "well", "known"}));
}

TEST(WordFinder, TakesNoSignForAWord) {
    EXPECT_EQ(words_of("a @ b _ c"), (Words{"a", "b", "c"}));
}

TEST(WordFinder, KeepsApostrophesInsideWords) {
    EXPECT_EQ(words_of("I don't 'know'."), (Words{"I", "don't", "know"}));
}

TEST(WordFinder, CountsBytesWhereCharactersHaveSeveral) {
    EXPECT_EQ(words_of("Ünïcode – naïve 😀 café"), (Words{"Ünïcode", "naïve", "café"}));
}

TEST(WordFinder, FindsWordsWhereNoSpacesStand) {
    const Words words = words_of("私は銀行に行く");
    EXPECT_GT(words.size(), 3U);
    EXPECT_NE(std::ranges::find(words, "銀行"), words.end());
}

TEST(WordFinder, FindsNothingInNothing) {
    EXPECT_TRUE(words_of("").empty());
    EXPECT_TRUE(words_of(" ... ").empty());
}

TEST(Lowercase, FollowsUnicode) {
    EXPECT_EQ(lowercase("BaNk"), "bank");
    EXPECT_EQ(lowercase("ÄÖÜ ÉCOLE"), "äöü école");
    EXPECT_EQ(lowercase("ΟΔΟΣ"), "οδος");  // a final sigma
}

}  // namespace
}  // namespace wordbreadth::extraction
