// The good samples of tests/data/corpora, each in its format.
#include <gtest/gtest.h>

#include "support/corpus_testing.h"

namespace wordbreadth::corpus {
namespace {

using Texts = std::vector<std::string>;

const Texts plain{"THE RIVER BANK",
                  "Mr. Fox walked along the bank of the river on a cold morning.",
                  "He was looking for Dr. Mole, who lives near St. Mary's church.",
                  "\"Are you there?\" he called.",
                  "Nobody answered!",
                  "The bank was closed.",
                  "It opens at 9 a.m. on weekdays."};

TEST(Text, SentencesAreFound) {
    EXPECT_EQ(texts_of(read_all({good("plain.txt")})), plain);
}

TEST(Text, GzipInSeveralMembersIsTheSame) {
    EXPECT_EQ(texts_of(read_all({good("plain.txt.gz")})), plain);
}

TEST(Text, AFileIsOneDocument) {
    for (const Copy& sentence : read_all({good("plain.txt")})) {
        EXPECT_EQ(sentence.document, 0U);
        EXPECT_EQ(sentence.document_name, good("plain.txt"));
    }
}

TEST(Text, AsOneTextItIsTheWholeFile) {
    const auto texts = read_all({good("plain.txt")}, {Format::text, Unit::text});
    ASSERT_EQ(texts.size(), 1U);
    EXPECT_TRUE(texts[0].text.starts_with("THE RIVER BANK\n\nMr. Fox"));
    EXPECT_TRUE(texts[0].text.ends_with("on weekdays."));
    EXPECT_EQ(texts[0].label, "plain");
}

TEST(Lines, EveryLineIsASentenceAndBlankOnesAreNothing) {
    const Texts expected{"The bank of the river was green.", "She went to the bank to pay.", "川の岸は緑だった。"};
    EXPECT_EQ(texts_of(read_all({good("lines.txt")}, {Format::lines, Unit::sentence})), expected);
    const auto texts = read_all({good("lines.txt")}, {Format::lines, Unit::text});
    EXPECT_EQ(texts_of(texts), expected);
    for (const Copy& text : texts) EXPECT_EQ(text.label, "lines");
}

TEST(Jsonl, RecordsAreDocumentsWithSentences) {
    const auto sentences = read_all({good("records.jsonl")});
    const Texts expected{"The bank of the river.", "It was green.", "The bank was closed.", "We waited outside.",
                         "Café 😀"};
    EXPECT_EQ(texts_of(sentences), expected);
    EXPECT_EQ(sentences[1].document_name, "r1");
    EXPECT_EQ(sentences[3].document_name, "2");
    EXPECT_EQ(sentences[4].document_name, good("records.jsonl") + ":4");
    EXPECT_EQ(sentences[4].document, 2U);
}

TEST(Jsonl, AsTextsRecordsAreWholeAndLabelled) {
    const auto texts = read_all({good("records.jsonl")}, {Format::jsonl, Unit::text});
    ASSERT_EQ(texts.size(), 3U);
    EXPECT_EQ(texts[1].text, "The bank was closed.\nWe waited outside.");
    EXPECT_EQ(texts[0].label, "nature");
    EXPECT_EQ(texts[1].label, "money");
}

TEST(Bnc, WordsHaveHeadwordsAndParts) {
    const auto sentences = read_all({good("T00.xml")});
    ASSERT_EQ(sentences.size(), 2U);  // an empty <s> is nothing
    EXPECT_EQ(sentences[0].text, "The banks.");
    EXPECT_EQ(sentences[0].words, (Texts{"The|the|ART", "banks|bank|SUBST", ".||PUN"}));
    EXPECT_EQ(sentences[1].text, "He didn't bank of course.");
    EXPECT_EQ(sentences[1].words[2], "n't|not|ADV");
    EXPECT_EQ(sentences[1].words[5], "course|course|SUBST");
    EXPECT_EQ(sentences[1].document_name, "T00");
}

TEST(Bnc, SpokenTextsAreRead) {
    const auto sentences = read_all({good("T01.xml")});
    ASSERT_EQ(sentences.size(), 1U);
    EXPECT_EQ(sentences[0].words, (Texts{"Yeah|yeah|INTERJ", "R&B|r&b|ADJ"}));
}

TEST(Bnc, GzipIsTheSame) {
    EXPECT_EQ(texts_of(read_all({good("T00.xml.gz")})), texts_of(read_all({good("T00.xml")})));
}

TEST(Bccwj, SamplesAreDocumentsAndLabelsStartSentences) {
    const auto sentences = read_all({good("bccwj.tsv")});
    EXPECT_EQ(texts_of(sentences), (Texts{"川の岸。", "１９年", "銀行"}));
    EXPECT_EQ(sentences[0].words[2], "岸|岸|名詞-普通名詞-一般");
    EXPECT_EQ(sentences[1].document_name, "LBa1_00001");
    EXPECT_EQ(sentences[2].document_name, "LBb2_00002");
    EXPECT_EQ(sentences[2].document, 1U);
}

TEST(Bccwj, AUnitWithoutOriginalTextIsNoWord) {
    EXPECT_EQ(read_all({good("bccwj.tsv")})[1].words, (Texts{"１９|十|名詞-数詞", "年|年|名詞-普通名詞-助数詞可能"}));
}

TEST(Conllu, MultiwordTokensThatAreTheirPartsAreSplit) {
    const auto sentences = read_all({good("sample.conllu")});
    ASSERT_EQ(sentences.size(), 2U);
    EXPECT_EQ(sentences[0].text, "The banks (cannot) wait.");  // the spaces are those of # text
    EXPECT_EQ(sentences[0].words, (Texts{"The|the|DET", "banks|bank|NOUN", "(|(|PUNCT", "can|can|AUX", "not|not|PART",
                                         ")|)|PUNCT", "wait|wait|VERB", ".|.|PUNCT"}));
}

TEST(Conllu, OtherMultiwordTokensAreOneWord) {
    const auto sentences = read_all({good("sample.conllu")});
    EXPECT_EQ(sentences[1].text, "Bord du fleuve.");  // the spaces are those of SpaceAfter=No
    EXPECT_EQ(sentences[1].words, (Texts{"Bord|bord|NOUN", "du|de+le|ADP+DET", "fleuve|fleuve|NOUN", ".|.|PUNCT"}));
    EXPECT_EQ(sentences[1].document_name, "weblog-2");
}

TEST(Vertical, TagsMakeDocumentsAndSentences) {
    const auto sentences = read_all({good("sample.vert")});
    EXPECT_EQ(texts_of(sentences), (Texts{"The bank's R&D < 5,", "e-mail", "No.", "Tag"}));
    EXPECT_EQ(sentences[0].words[3], "R&D|r&d|NN");
    EXPECT_EQ(sentences[0].document_name, "d1");
    EXPECT_EQ(sentences[3].document_name, "d2");
}

TEST(Dwug, UsagesPointAtTheirWord) {
    const auto usages = read_all({good("uses.csv")});
    ASSERT_EQ(usages.size(), 2U);
    EXPECT_EQ(usages[0].text, "He said: \"the bank\" is — closed.");
    EXPECT_EQ(usages[0].usage, "bank");
    EXPECT_EQ(usages[0].label, "bank");
    EXPECT_EQ(usages[0].document_name, "b-1");
    EXPECT_EQ(usages[1].text, "Über die Bank: bank");  // without the space before it, which the file counts
    EXPECT_EQ(usages[1].usage, "bank");
}

TEST(Dwug, UsagesTellPartOfSpeech) {
    Reader reader = open_corpus(std::vector{good("uses.csv")});
    Sentence sentence;
    ASSERT_TRUE(reader.next(sentence));
    ASSERT_TRUE(sentence.usage.has_value());
    EXPECT_EQ(sentence.usage->lemma, "bank");
    EXPECT_EQ(sentence.usage->part_of_speech, "nn");
}

TEST(Brown, TheTagFollowsTheLastSlash) {
    const auto sentences = read_all({good("ca01")});
    EXPECT_EQ(texts_of(sentences), (Texts{"The Fulton bank said Friday ``1/2 of it''.", "It closed (again)."}));
    EXPECT_EQ(sentences[0].words[1], "Fulton||np-tl");
    EXPECT_EQ(sentences[0].words[6], "1/2||cd");
}

TEST(Formats, WordsLieInTheirSentenceInOrder) {
    for (const char* name : {"T00.xml", "bccwj.tsv", "sample.conllu", "sample.vert", "ca01"}) {
        Reader reader = open_corpus(std::vector{good(name)});
        for (Sentence sentence; reader.next(sentence);) {
            std::uint32_t end = 0;
            ASSERT_FALSE(sentence.words.empty()) << name;
            for (const Word& word : sentence.words) {
                EXPECT_LE(end, word.begin);
                EXPECT_LT(word.begin, word.end);
                end = word.end;
            }
            EXPECT_LE(end, sentence.text.size());
        }
    }
}

}  // namespace
}  // namespace wordbreadth::corpus
