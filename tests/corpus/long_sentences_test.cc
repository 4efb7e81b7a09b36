// Sentences of any length come through, in pieces where they are longer than the limit, and nothing of them is lost.
#include <gtest/gtest.h>

#include "support/corpus_testing.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {
namespace {

constexpr std::size_t number_of_words = 60000;  // more than three times the limit

std::string word(std::size_t i) {
    return "w" + std::to_string(i);
}

std::string row(Format format, std::size_t i) {
    switch (format) {
        case Format::bnc:
            return "<w hw='l' pos='p'>" + word(i) + " </w>";
        case Format::bccwj:
            return "\t\t\t\t\t\t\t\t\t" + std::string(i == 0 ? "B" : "I") + "\t\t\tl\t\t\t\tp\t\t\t\t\t\t\t" + word(i) +
                   "\t\n";
        case Format::conllu:
            return std::to_string(i + 1) + "\t" + word(i) + "\tl\tp\t_\t_\t_\t_\t_\t_\n";
        case Format::vertical:
            return word(i) + "\tl\tp\n";
        default:
            return word(i) + (format == Format::brown ? "/p " : " ");
    }
}

std::string content(Format format) {
    std::string text = format == Format::bnc ? "<bncDoc><s>" : format == Format::vertical ? "<s>\n" : "";
    for (std::size_t i = 0; i < number_of_words; ++i) text += row(format, i);
    return text + (format == Format::bnc ? "</s></bncDoc>" : format == Format::vertical ? "</s>\n" : "\n");
}

std::string without_spaces(std::string text) {
    std::erase(text, ' ');
    return text;
}

std::string all_words() {
    std::string all;
    for (std::size_t i = 0; i < number_of_words; ++i) all += word(i);
    return all;
}

class LongSentences : public testing::TestWithParam<Format> {};

TEST_P(LongSentences, ComeInPiecesThatAreAllOfThem) {
    std::string all;
    std::size_t words = 0;
    const auto sentences = read_content(content(GetParam()), GetParam());
    EXPECT_GT(sentences.size(), 3U);
    EXPECT_LT(sentences.size(), 10U);
    for (const Copy& sentence : sentences) {
        EXPECT_LE(sentence.text.size(), limits::sentence_bytes + 10);
        all += without_spaces(sentence.text);
        words += sentence.words.size();
    }
    EXPECT_EQ(all, all_words());
    EXPECT_EQ(words, traits_of(GetParam()).words ? number_of_words : 0U);
}

INSTANTIATE_TEST_SUITE_P(Formats, LongSentences,
                         testing::Values(Format::text, Format::lines, Format::bnc, Format::bccwj, Format::conllu,
                                         Format::vertical, Format::brown),
                         [](const auto& instance) { return std::string(traits_of(instance.param).name); });

TEST(LongSentences, ASentenceAtTheLimitIsWhole) {
    const std::string at_limit = std::string(limits::sentence_bytes - 1, 'x') + ".";
    EXPECT_EQ(read_content(at_limit, Format::text).size(), 1U);
    EXPECT_EQ(read_content("x" + at_limit, Format::text).size(), 2U);
}

TEST(LongSentences, ALongWordWithoutAnySpaceIsCutBetweenCharacters) {
    std::string japanese;
    for (int i = 0; i < 50000; ++i) japanese += "川";
    std::string all;
    for (const Copy& piece : read_content(japanese, Format::text)) all += piece.text;
    EXPECT_EQ(all, japanese);
}

TEST(LongSentences, SentencesOfALongParagraphAreNotCutWhereItIsReadInPieces) {
    std::string text;
    std::vector<std::string> expected;
    for (int i = 0; i < 20000; ++i) {
        expected.push_back("This is sentence " + std::to_string(i) + " of one long paragraph.");
        text += expected.back() + " ";
    }
    EXPECT_EQ(texts_of(read_content(text, Format::text)), expected);
}

}  // namespace
}  // namespace wordbreadth::corpus
