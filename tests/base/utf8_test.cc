#include "base/utf8.h"

#include <gtest/gtest.h>

#include "support/corpus_testing.h"

namespace wordbreadth::base {
namespace {

using namespace std::string_view_literals;
constexpr auto none = std::string_view::npos;

TEST(Utf8, GoodTextHasNoFault) {
    for (const auto text :
         {""sv, "a"sv, "plain text of more than eight bytes"sv, "é"sv, "日本語"sv, "😀"sv, "\xF4\x8F\xBF\xBF"sv}) {
        EXPECT_EQ(first_fault(text), none) << text;
    }
}

TEST(Utf8, FaultsAreFoundAtEveryPlace) {
    for (const auto fault :
         {"\x80"sv, "\xC0\xAF"sv, "\xED\xA0\x80"sv, "\xF4\x90\x80\x80"sv, "\xFF"sv, "\0"sv, "\xE3\x81"sv}) {
        for (std::size_t place = 0; place < 20; ++place) {
            std::string text = std::string(place, 'a').append(fault).append("bbbbbbbbbbbb");
            EXPECT_EQ(first_fault(text), place) << place;
        }
    }
}

TEST(Utf8, CutCharactersAtTheEndAreFaults) {
    EXPECT_EQ(first_fault("aé"sv.substr(0, 2)), 1U);
    EXPECT_EQ(first_fault("abcdefg😀"sv.substr(0, 10)), 7U);
}

TEST(Utf8, CharactersAreCountedAndFound) {
    constexpr auto text = "aé日😀b"sv;
    EXPECT_EQ(count_characters(text), 5U);
    EXPECT_EQ(byte_of_character(text, 0), 0U);
    EXPECT_EQ(byte_of_character(text, 3), 6U);
    EXPECT_EQ(byte_of_character(text, 5), text.size());
    EXPECT_EQ(byte_of_character(text, 6), std::nullopt);
}

TEST(Utf8, TrimmingKnowsTheWhiteSpaceOfUnicode) {
    EXPECT_EQ(trimmed(" \t\u00A0\u3000a b\u2003\u00A0\n"), "a b");
    EXPECT_EQ(trimmed("\u3000\u00A0"), "");
    EXPECT_EQ(trimmed(""), "");
    EXPECT_EQ(trimmed("é"), "é");
}

TEST(Utf8, TextIsCutBehindWhiteSpaceWhereThereIsSome) {
    EXPECT_EQ(place_to_cut("ab cd ef", 7), 6U);
    EXPECT_EQ(place_to_cut("abcdefgh", 7), 7U);
}

TEST(Utf8, TextIsNeverCutWithinACharacter) {
    EXPECT_EQ(place_to_cut("日本語", 4), 3U);
    EXPECT_EQ(place_to_cut("日本語", 6), 6U);
}

TEST(Utf8, FirstAndLastCharacter) {
    EXPECT_EQ(first_character("日a"), 0x65E5);
    EXPECT_EQ(last_character("a😀"), 0x1F600);
    EXPECT_EQ(last_character("ab"), 'b');
    EXPECT_EQ(first_character(""), 0);
    EXPECT_EQ(last_character(""), 0);
}

}  // namespace
}  // namespace wordbreadth::base
