#include "corpus/plain_text.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "base/utf8.h"

namespace wordbreadth::corpus {
namespace {

using Texts = std::vector<std::string>;

Texts sentences_of(std::string_view text) {
    Splitter splitter;
    Texts sentences;
    std::size_t begin = 0;
    for (const std::size_t end : splitter.split(text)) {
        sentences.emplace_back(base::trimmed(text.substr(begin, end - begin)));
        begin = end;
    }
    EXPECT_EQ(begin, text.size());
    return sentences;
}

// Each must be split between its parts and nowhere else.
class Sentences : public testing::TestWithParam<Texts> {};

TEST_P(Sentences, EndWhereTheyShould) {
    std::string text;
    for (const std::string& sentence : GetParam()) text += (text.empty() ? "" : " ") + sentence;
    EXPECT_EQ(sentences_of(text), GetParam());
}

const std::vector<Texts> cases{
    {"Hello there.", "My name is Ann."},
    {"What is it?", "It is a bank!", "Yes."},
    {"Mr. and Mrs. Smith met Dr. No in St. Louis."},
    {"The U.S. Government met J. R. Smith at 5 a.m. in Washington."},
    {"I live in the U.S.", "It is large."},
    {"They work at Pitt & Co.", "It closed."},
    {"See p. 55, fig. 3 and No. 10 for more.", "He said no.", "She left."},
    {"Compare vol. II of the set."},
    {"Bring food, e.g. Brie, etc.", "The rest is here."},
    {"“Stop!” he said.", "“Why?” she asked."},
    {"She works at Yahoo! in the accounting department."},
    {"See https://example.org/?q=Bank!x for it.", "Then go."},
    {"It costs 3.50 a piece.", "We have 2.", "He has 3."},
    {"1. First things first.", "2. Then the second."},
    {"(How about brackets?)", "[And these.]", "Yes."},
    {"It was I.", "He knew."},
    {"C'est M. Dupont.", "Il est ici."},
    {"Des fichiers, etc.", "Vous pouvez les lire."},
    {"Los nombres, etc.", "Después se borra."},
    {"Das ist z.B. Brot.", "Das ist Hr. Meier."},
    {"Es waren 3,5 Mio. Leute.", "Das 19. Jahrhundert war lang.", "Er wurde 19.", "Dann ging er."},
    {"Он живёт на ул. Ленина.", "Это проф. Иванов.", "См. рис. 2.", "Далее (см. Раздел 2).", "Он ел рис.",
     "Потом ушёл."},
};

INSTANTIATE_TEST_SUITE_P(Splitter, Sentences, testing::ValuesIn(cases));

TEST(Splitter, JapaneseNeedsNoSpaces) {
    EXPECT_EQ(sentences_of("川の岸。銀行だ！本当？はい。"), (Texts{"川の岸。", "銀行だ！", "本当？", "はい。"}));
}

TEST(Splitter, LeavesWhatOpensASentenceToIt) {
    EXPECT_EQ(sentences_of("彼は言った。「そうか」。（笑）次だ。『本』。"),
              (Texts{"彼は言った。", "「そうか」。", "（笑）次だ。", "『本』。"}));
    EXPECT_EQ(sentences_of("他走了。“好。”你呢？"), (Texts{"他走了。", "“好。”", "你呢？"}));
    EXPECT_EQ(sentences_of("Er sagt: „Nein.“ Dann: „Ja!“ „Gut.“"),
              (Texts{"Er sagt: „Nein.“", "Dann: „Ja!“", "„Gut.“"}));
}

TEST(Splitter, PlainStopsEndASentenceBeforeSmallLetters) {
    EXPECT_EQ(sentences_of("開きます。mdadm を使う。本当？yes！"),
              (Texts{"開きます。", "mdadm を使う。", "本当？", "yes！"}));
    EXPECT_EQ(sentences_of("هل تعمل؟ apt نعم"), (Texts{"هل تعمل؟", "apt نعم"}));
    EXPECT_EQ(sentences_of("फ़ाइल खोलें। apt चलाएँ।"), (Texts{"फ़ाइल खोलें।", "apt चलाएँ।"}));
}

TEST(Splitter, JapaneseSpeechIsPartOfItsSentence) {
    EXPECT_EQ(sentences_of("「はい。」と答えた。「いや！」って言う。"),
              (Texts{"「はい。」と答えた。", "「いや！」って言う。"}));
    EXPECT_EQ(sentences_of("「はい。」ところが彼は来た。"), (Texts{"「はい。」", "ところが彼は来た。"}));
}

TEST(Splitter, NoBreakSpacesAreSpaces) {
    EXPECT_EQ(sentences_of("We met Mr. Smith. Das ist z. B. Martin. Am 3. Mai. Then. Go."),
              (Texts{"We met Mr. Smith.", "Das ist z. B. Martin.", "Am 3. Mai.", "Then.", "Go."}));
}

TEST(Splitter, FrenchQuotesCloseAfterASpace) {
    EXPECT_EQ(sentences_of("« Venez ! » dit-il. « Non ! » Elle partit. « Oui. », dit Anne. « Bon. »"),
              (Texts{"« Venez ! » dit-il.", "« Non ! »", "Elle partit.", "« Oui. », dit Anne.", "« Bon. »"}));
    EXPECT_EQ(sentences_of("»Nein!« Er ging. »Ja!« rief sie."), (Texts{"»Nein!«", "Er ging.", "»Ja!« rief sie."}));
}

TEST(Splitter, EndsAreInBytes) {
    Splitter splitter;
    EXPECT_EQ(splitter.split("Café 😀. Über."), (std::vector<std::size_t>{12, 18}));
}

TEST(Splitter, EmptyTextHasNoSentences) {
    Splitter splitter;
    EXPECT_TRUE(splitter.split("").empty());
}

// A first sentence that is not ASCII has ICU split the rest as well.
TEST(Splitter, AsciiIsSplitAsIcuDoes) {
    constexpr std::string_view first = "Était-ce vrai? ", before = "It is";
    constexpr std::array<std::string_view, 40> parts{".", ".",   ".",  "!",  "?",  "\"",   "'",   ")",  "(",   "[",
                                                     "]", "}",   "{",  " ",  " ",  " ",    "\t",  "\f", "\v",  ",",
                                                     "-", ":",   ";",  "1",  "23", "a",    "the", "B",  "The", "I",
                                                     "U", "etc", "No", "Mr", "A1", "e.g.", "_",   "@",  "$",   "/"};
    std::mt19937 random(1);
    Splitter splitter;
    for (int round = 0; round < 100'000; ++round) {
        std::string text(before);
        for (auto left = random() % 24; left > 0; --left) text += parts[random() % parts.size()];
        const std::vector<std::size_t> found = splitter.split(text);
        std::vector<std::size_t> expected = splitter.split(std::string(first) + text);
        ASSERT_EQ(expected.front(), first.size());
        expected.erase(expected.begin());
        for (std::size_t& end : expected) end -= first.size();
        ASSERT_EQ(found, expected) << text;
    }
}

TEST(Splitter, AnyTextKeepsAllItsBytes) {
    for (const char* text : {".", "...", " . ", "Mr.", "\u00A0.", "1.", "?!", "a.\n\nb", ". . . A", "\"", "é.É"}) {
        (void)sentences_of(text);
    }
}

}  // namespace
}  // namespace wordbreadth::corpus
