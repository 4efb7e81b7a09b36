#include "extraction/analyst.h"

#include <gtest/gtest.h>

#include "encoder/tokenizer/tokenizer.h"
#include "support/snapshot.h"

namespace wordbreadth::extraction {
namespace {

class AnalystTest : public testing::Test {
  protected:
    AnalystTest() { write_snapshot(folder_.path() + "/model"); }

    Analysis analyse(const KeptSentence& sentence, const AnalystOptions& options = {}) {
        const auto tokenizer = encoder::tokenizer::load_tokenizer(folder_.path() + "/model");
        Analysis analysis;
        Analyst(tokenizer, options).analyse(sentence, analysis);
        return analysis;
    }

    Analysis analyse(const std::string& text, const AnalystOptions& options = {}) {
        KeptSentence sentence;
        sentence.text = text;
        return analyse(sentence, options);
    }

    TemporaryFolder folder_;
};

// "type:token+tokens" of the usable words, "type:!" of the others.
std::vector<std::string> summary(const Analysis& analysis) {
    std::vector<std::string> words;
    for (const FoundWord& word : analysis.words) {
        const std::string type(analysis.type_of(word));
        words.push_back(word.use == Use::usable
                            ? type + ":" + std::to_string(word.token) + "+" + std::to_string(word.tokens)
                            : type + ":" + std::string(1, "utsnxz"[static_cast<int>(word.use)]));
    }
    return words;
}

using Words = std::vector<std::string>;

TEST_F(AnalystTest, FindsTheTokenOfEachWord) {
    EXPECT_EQ(summary(analyse("The bank, the river.")), (Words{"the:1+1", "bank:2+1", "the:4+1", "river:5+1"}));
}

TEST_F(AnalystTest, WordsOfSeveralTokensAreTakenAsAskedFor) {
    EXPECT_EQ(summary(analyse("the banks")), (Words{"the:1+1", "banks:s"}));
    EXPECT_EQ(summary(analyse("the banks", {.subwords = Subwords::mean})), (Words{"the:1+1", "banks:2+2"}));
    EXPECT_EQ(summary(analyse("the banks", {.subwords = Subwords::first})), (Words{"the:1+1", "banks:2+1"}));
    EXPECT_EQ(summary(analyse("the banks", {.subwords = Subwords::last})), (Words{"the:1+1", "banks:3+1"}));
}

TEST_F(AnalystTest, UnknownWordsAreNotUsable) {
    EXPECT_EQ(summary(analyse("the zebra is")), (Words{"the:1+1", "zebra:n", "is:3+1"}));
    EXPECT_EQ(summary(analyse("the zebra is", {.subwords = Subwords::mean})), (Words{"the:1+1", "zebra:n", "is:3+1"}));
}

TEST_F(AnalystTest, WordsBehindTheLastTokenAreNotUsable) {
    EXPECT_EQ(summary(analyse("the bank is old", {.max_tokens = 4})), (Words{"the:1+1", "bank:2+1", "is:t", "old:t"}));
    EXPECT_EQ(summary(analyse("the banks", {.subwords = Subwords::mean, .max_tokens = 4})),
              (Words{"the:1+1", "banks:t"}));
    EXPECT_EQ(summary(analyse("the banks", {.subwords = Subwords::mean, .max_tokens = 5})),
              (Words{"the:1+1", "banks:2+2"}));
}

TEST_F(AnalystTest, CaseIsFoldedOrKept) {
    EXPECT_EQ(summary(analyse("The BANK")), (Words{"the:1+1", "bank:2+1"}));
    EXPECT_EQ(summary(analyse("The BANK", {.letter_case = LetterCase::keep})), (Words{"The:1+1", "BANK:2+1"}));
}

TEST_F(AnalystTest, MarkedWordsAreTokenizedOneByOne) {
    KeptSentence sentence;
    sentence.text = "the bankriver, is";  // two words without a space between them
    sentence.words = {{0, 3, "the"}, {4, 8, "bank"}, {8, 13, "river"}, {15, 17, ""}};
    EXPECT_EQ(summary(analyse(sentence)), (Words{"the:1+1", "bank:2+1", "river:3+1"}));
    EXPECT_EQ(analyse(sentence).ids.size(), 7U);  // with the comma between words, and the word that is not asked for
}

TEST_F(AnalystTest, MarkedPunctuationIsNoWord) {
    KeptSentence sentence;
    sentence.text = "the bank . 1987";
    sentence.words = {{0, 3, "the"}, {4, 8, "bank"}, {9, 10, "."}, {11, 15, "1987"}};
    EXPECT_EQ(summary(analyse(sentence)), (Words{"the:1+1", "bank:2+1"}));
}

TEST_F(AnalystTest, MarkedWordsBehindTheLastTokenAreNotUsable) {
    KeptSentence sentence;
    sentence.text = "the bank is";
    sentence.words = {{0, 3, "the"}, {4, 8, "bank"}, {9, 11, "be"}};
    EXPECT_EQ(summary(analyse(sentence, {.max_tokens = 4})), (Words{"the:1+1", "bank:2+1", "be:t"}));
}

TEST_F(AnalystTest, OfAUsageOnlyTheWordPointedAtIsTaken) {
    KeptSentence sentence;
    sentence.text = "the old bank is old";
    sentence.words = {{16, 19, "old_nn"}};
    sentence.words_are_all = false;
    EXPECT_EQ(summary(analyse(sentence)), (Words{"old_nn:5+1"}));
}

TEST_F(AnalystTest, AWordThatSharesATokenIsNotUsable) {
    KeptSentence sentence;
    sentence.text = "the bank";
    sentence.words = {{4, 6, "ba"}};
    sentence.words_are_all = false;
    EXPECT_EQ(summary(analyse(sentence)), (Words{"ba:x"}));
}

TEST_F(AnalystTest, ATextIsAllItsTokensInTheCloudOfItsLabel) {
    KeptSentence sentence;
    sentence.text = "the bank is old.";
    sentence.label = "Prompts";
    EXPECT_EQ(summary(analyse(sentence, {.unit = ExtractUnit::text})), (Words{"Prompts:0+7"}));
}

// ---- tokenizers whose tokens have the space before a word

Analysis analysed_by(const std::string& tokenizer_json, const std::string& text) {
    TemporaryFolder folder;
    folder.add("tokenizer.json", tokenizer_json);
    const auto tokenizer = encoder::tokenizer::load_tokenizer(folder.path());
    KeptSentence sentence;
    sentence.text = text;
    Analysis analysis;
    Analyst(tokenizer, {}).analyse(sentence, analysis);
    return analysis;
}

// A space is often a token of its own before a word without one: it is not part of the word.
TEST(AnalystOfUnigram, TheSpaceIsNoPartOfTheWord) {
    const std::string file = R"({"version": "1.0", "pre_tokenizer": {"type": "Metaspace", "replacement": "\u2581"},
        "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["\u2581", -1], ["bank", -1],
                                                            ["\u2581the", -1], [",", -1], ["s", -1]]}})";
    EXPECT_EQ(summary(analysed_by(file, "bank, the bank")), (Words{"bank:1+1", "the:3+1", "bank:5+1"}));
    EXPECT_EQ(summary(analysed_by(file, "the\u00a0banks")), (Words{"the:0+1", "banks:s"}));
}

// Without special tokens around the text, as in decoders.
TEST(AnalystOfBytes, TheSpaceGoesWithTheWord) {
    const std::string file = R"({"version": "1.0", "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
        "model": {"type": "BPE", "merges": ["a b", "\u0120 ab"], "vocab": {"a": 0, "b": 1, "\u0120": 2, "ab": 3,
                                                                            "\u0120ab": 4}}})";
    EXPECT_EQ(summary(analysed_by(file, "ab ab aab")), (Words{"ab:0+1", "ab:1+1", "aab:s"}));
}

}  // namespace
}  // namespace wordbreadth::extraction
