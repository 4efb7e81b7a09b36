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

TEST(Selection, UniversalTagsAreThoseOfEveryFormat) {
    EXPECT_EQ(types_in("T00.xml", {true, {"NOUN"}}), types_in("T00.xml", {true, {"SUBST"}}));
    EXPECT_EQ(types_in("T00.xml", {true, {"NOUN", "VERB"}}), (Texts{"bank", "do", "bank", "course"}));
    EXPECT_EQ(types_in("bccwj.tsv", {false, {"NOUN"}}), (Texts{"川", "岸", "年", "銀行"}));
    EXPECT_EQ(types_in("ca01", {false, {"NOUN", "PROPN"}}).size(),
              types_in("ca01", {false, {"nn", "nns", "np", "nps", "nr", "nn$", "np$", "nns$", "nr$"}}).size());
}

TEST(UniversalTags, AreReadFromTheTagsOfACorpus) {
    const auto of = [](TagSet tags, std::string_view tag) { return std::string(universal_tag(tags, tag)); };
    for (const auto& [tag, universal] : std::vector<std::pair<std::string, std::string>>{
             {"SUBST", "NOUN"}, {"VERB", "VERB"}, {"ART", "DET"}, {"PREP", "ADP"}, {"PUN", "PUNCT"}, {"CONJ", ""}})
        EXPECT_EQ(of(TagSet::bnc, tag), universal) << tag;
    for (const auto& [tag, universal] :
         std::vector<std::pair<std::string, std::string>>{{"名詞-普通名詞-一般", "NOUN"},
                                                          {"名詞-固有名詞-人名-姓", "PROPN"},
                                                          {"名詞-数詞", "NUM"},
                                                          {"動詞-一般", "VERB"},
                                                          {"助動詞", "AUX"},
                                                          {"助詞-格助詞", "ADP"},
                                                          {"助詞-接続助詞", "SCONJ"},
                                                          {"形状詞-一般", "ADJ"},
                                                          {"補助記号-句点", "PUNCT"},
                                                          {"言いよどみ", ""}})
        EXPECT_EQ(of(TagSet::unidic, tag), universal) << tag;
    for (const auto& [tag, universal] : std::vector<std::pair<std::string, std::string>>{{"nn", "NOUN"},
                                                                                         {"NN-TL", "NOUN"},
                                                                                         {"nns$-hl", "NOUN"},
                                                                                         {"np$", "PROPN"},
                                                                                         {"pps+bez", "PRON"},
                                                                                         {"bedz*", "AUX"},
                                                                                         {"*", "PART"},
                                                                                         {"--", "PUNCT"},
                                                                                         {"fw-in", "X"},
                                                                                         {"qq", ""}})
        EXPECT_EQ(of(TagSet::brown, tag), universal) << tag;
    EXPECT_EQ(of(TagSet::dwug, "NN"), "NOUN");
    EXPECT_EQ(of(TagSet::unknown, "NOUN"), "NOUN");  // CoNLL-U, and vertical files that have them
    EXPECT_EQ(of(TagSet::unknown, "NN1"), "");
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
