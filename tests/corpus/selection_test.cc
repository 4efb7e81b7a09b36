#include "corpus/corpus.h"

#include <gtest/gtest.h>

#include "support/corpus_testing.h"

namespace wordbreadth::corpus {
namespace {

using Texts = std::vector<std::string>;

Texts types_in(const std::string& name, const Selection& selection) {
    Reader reader = open_corpus(std::vector{good(name)});
    Texts types;
    for (Sentence sentence; reader.next(sentence);) {
        for (const Word& word : sentence.words) {
            if (const auto type = type_of(sentence, word, selection)) types.emplace_back(*type);
        }
    }
    return types;
}

TEST(Selection, WordsCountAsTheyAreWrittenOrByLemma) {
    EXPECT_EQ(types_in("T01.xml", {}), (Texts{"Yeah", "R&B"}));
    EXPECT_EQ(types_in("T01.xml", {true, {}}), (Texts{"yeah", "r&b"}));
}

TEST(Selection, PartsOfSpeechAreChosen) {
    EXPECT_EQ(types_in("T00.xml", {true, {"SUBST", "VERB"}}), (Texts{"bank", "do", "bank", "course"}));
}

TEST(Selection, FinerPartsOfSpeechBelongToTheirCoarseOne) {
    EXPECT_EQ(types_in("bccwj.tsv", {false, {"名詞-普通名詞"}}), (Texts{"川", "岸", "年", "銀行"}));
    EXPECT_TRUE(is_part_of_speech("nn-tl", "nn"));
    EXPECT_FALSE(is_part_of_speech("nns", "nn"));
    EXPECT_FALSE(is_part_of_speech("nn", ""));
}

TEST(Selection, AWordWithoutLemmaCountsAsNothing) {
    EXPECT_EQ(types_in("T00.xml", {true, {"PUN"}}), (Texts{}));
}

TEST(Selection, WhatTheFormatDoesNotTellIsRefused) {
    const Reader text = open_corpus(std::vector{good("plain.txt")});
    const Reader brown = open_corpus(std::vector{good("ca01")});
    EXPECT_NO_THROW(require_annotations(text, {}));
    EXPECT_TRUE(contains(error_of([&] {
                             require_annotations(text, {true, {}});
                         }),
                         "plain.txt: is of the format text, which has no lemmas"));
    EXPECT_TRUE(contains(error_of([&] {
                             require_annotations(text, {false, {"NN"}});
                         }),
                         "which has no parts of speech"));
    EXPECT_TRUE(contains(error_of([&] { require_annotations(brown, {true, {}}); }), "which has no lemmas"));
    EXPECT_NO_THROW(require_annotations(brown, {false, {"nn"}}));
}

}  // namespace
}  // namespace wordbreadth::corpus
