#include "extraction/analyst.h"

#include <gtest/gtest.h>
#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/ubrk.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <memory>
#include <random>

namespace wordbreadth::extraction {
namespace {

std::vector<std::string> words_of(const std::string& text) {
    static WordFinder finder;
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

std::string without_marks_at_end(std::string word) {
    for (const char* mark : {"\u00AD", "\u200C", "\u200E", "\u200F"})
        if (word.ends_with(mark)) return without_marks_at_end(word.substr(0, word.size() - std::string(mark).size()));
    return word;
}

// The definition: what ICU finds in the whole text, without marks at the end of a word.
Words words_by_icu(icu::BreakIterator& iterator, const std::string& text) {
    const icu::UnicodeString whole = icu::UnicodeString::fromUTF8(text);
    iterator.setText(whole);
    Words words;
    std::int32_t begin = iterator.first();
    for (std::int32_t end = iterator.next(); end != icu::BreakIterator::DONE; begin = end, end = iterator.next()) {
        std::string word;
        whole.tempSubStringBetween(begin, end).toUTF8String(word);
        if (iterator.getRuleStatus() >= UBRK_WORD_LETTER && has_letter(word))
            words.push_back(without_marks_at_end(word));
    }
    return words;
}

// Most texts do not reach ICU as a whole, or at all.
TEST(WordFinder, FindsWhatIcuFinds) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::BreakIterator> icu(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    ASSERT_TRUE(U_SUCCESS(status));
    const std::vector<std::string> pieces = {
        "a", "Bank",   "z",      " ",      " ",      " ",      "  ", ".",      "'",      ",",    ";",
        ":", "-",      "_",      "@",      "1",      "23",     "!",  "?",      "\"",     "(",    ")",
        "/", "+",      "$",      "\t",     "\n",     "&",      "%",  "#",      "é",      "ß",    "’",
        "—", "\u00A0", "\u0301", "\u200D", "\u200F", "\u200C", "ก",  "ไทย",    "日本",   "カナ", "銀行",
        "א", "\u00AD", "½",      "́",       "привет", "😀",      "🇫🇷", "\u3000", "\u2028", "한국", "·"};
    std::mt19937 random(7);
    for (int text = 0; text < 20000; ++text) {
        const std::size_t kinds = text % 2 == 0 ? 30 : pieces.size();  // ASCII alone, or all
        std::string sentence;
        for (std::size_t length = random() % 24; length > 0; --length) sentence += pieces[random() % kinds];
        ASSERT_EQ(words_of(sentence), words_by_icu(*icu, sentence)) << sentence;
    }
}

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

TEST(WordFinder, LeavesMarksAtTheEndOfWordsOut) {
    EXPECT_EQ(words_of("aide\u200F (بر\u200C) می\u200Cخواهم bank\u00AD ന\u0D4D\u200D"),
              (Words{"aide", "بر", "می\u200Cخواهم", "bank", "ന\u0D4D\u200D"}));
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
