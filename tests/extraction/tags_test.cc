// Parts of speech that the corpus has not.
#include "extraction/settings.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/snapshot.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

// 30 sentences of five words, with the tags of Universal Dependencies.
std::string conllu() {
    std::string text;
    for (int i = 0; i < 30; ++i) {
        int number = 0;
        for (const char* word : {"the\tDET", "old\tADJ", "bank\tNOUN", "of\tADP", "money\tNOUN"}) {
            const std::string form = std::string(word).substr(0, std::string(word).find('\t'));
            text += std::to_string(++number) + "\t" + form + "\t" + form + std::string(word).substr(form.size()) +
                    "\t_\t_\t0\troot\t_\t_\n";
        }
        text += "\n";
    }
    return text;
}

ExtractOptions with_tags(const Workshop& workshop, const std::string& out, std::vector<std::string> tags) {
    write_file(workshop.path("corpus.conllu"), conllu());
    ExtractOptions options = workshop.options(out);
    options.corpus = {workshop.path("corpus.conllu")};
    options.corpus_format = "auto";
    options.parts_of_speech = std::move(tags);
    options.deduplicate = Deduplicate::none;  // the sentences are repeated
    return options;
}

TEST(PartsOfSpeech, ThatNoWordHasAreAnErrorThatListsThoseOfTheCorpus) {
    const Workshop workshop("");
    EXPECT_EQ(
        error_of([&] { extract(with_tags(workshop, "store", {"noun"})); }),
        "part of speech \"noun\": no word of the corpus has it; did you mean \"NOUN\"? its tags, the most frequent "
        "first: \"NOUN\", \"ADJ\", \"ADP\", \"DET\"");
    EXPECT_EQ(error_of([&] {
                  extract(with_tags(workshop, "store", {"X", "Y"}));
              }),
              "parts of speech \"X\", \"Y\": no word of the corpus has them; its tags, the most frequent first: "
              "\"NOUN\", \"ADJ\", \"ADP\", \"DET\"");
}

// The words of the others would pass for all that was asked for.
TEST(PartsOfSpeech, OfWhichSomeAreUnknownAreAnErrorToo) {
    const Workshop workshop("");
    EXPECT_TRUE(error_of([&] {
                    extract(with_tags(workshop, "store", {"NOUN", "VERB"}));
                }).starts_with("part of speech \"VERB\": no word of the corpus has it; its tags"));
    EXPECT_EQ(extract(with_tags(workshop, "known", {"NOUN", "ADJ"})).words, 3U);
}

// Tokens are those that the corpus marks, and types the words that are asked for.
TEST(CorpusSize, IsPartOfTheSummaryAndOfTheStore) {
    const Workshop workshop("");
    const ExtractSummary all = extract(with_tags(workshop, "all", {})),
                         nouns = extract(with_tags(workshop, "nouns", {"NOUN"}));
    EXPECT_EQ(all.corpus_tokens, 150U);
    EXPECT_EQ(nouns.corpus_tokens, 150U);
    const Store store(workshop.path("all")), of_nouns(workshop.path("nouns"));
    EXPECT_EQ(store.setting("corpus tokens"), "150");
    EXPECT_EQ(store.setting("corpus words"), "150");
    EXPECT_EQ(store.setting("corpus types"), "5");
    EXPECT_EQ(of_nouns.setting("corpus words"), "60");
    EXPECT_EQ(of_nouns.setting("corpus types"), "2");
}

TEST(CorpusSize, CountsAllWordsWhereSomeAreAskedFor) {
    const Workshop workshop("");
    ExtractOptions options = with_tags(workshop, "store", {});
    options.words = {"bank"};
    extract(options);
    const Store store(workshop.path("store"));
    EXPECT_EQ(store.setting("corpus words"), "150");
    EXPECT_EQ(store.setting("corpus types"), "");
}

TEST(WholeTexts, HaveNeitherPartsOfSpeechNorLemmas) {
    const Workshop workshop("");
    ExtractOptions options = with_tags(workshop, "store", {"NOUN"});
    options.unit = ExtractUnit::text;
    EXPECT_EQ(error_of([&] { extract(options); }),
              "parts of speech are of words, but a row is a whole text (unit text); leave one of the two out");
    options.by_lemma = true;
    EXPECT_TRUE(error_of([&] { extract(options); }).starts_with("lemmas are of words"));
}

TEST(TagCounts, SayWhichUniversalTagsTheCorpusHas) {
    TagCounts tags;
    const std::vector<corpus::Word> words = {{0, 1, "", "SUBST"}, {2, 3, "", "SUBST"}, {4, 5, "", "VERB"}};
    corpus::Sentence sentence;
    sentence.words = words;
    sentence.tags = corpus::TagSet::bnc;
    tags.add(sentence);
    const std::vector<std::string> known = {"NOUN", "VERB", "SUBST"}, absent = {"PROPN"};
    EXPECT_TRUE(tags.unknown(known).empty());
    EXPECT_EQ(tags.unknown(absent), absent);
    EXPECT_EQ(tags.message(absent),
              "part of speech \"PROPN\": no word of the corpus has it; its tags, the most frequent first: \"SUBST\", "
              "\"VERB\"; as universal tags: NOUN");
}

TEST(TagCounts, KnowTheUniversalTagWhicheverFormatComesFirst) {
    const std::vector<corpus::Word> words = {{0, 1, "", "nns"}};
    const std::vector<std::string> wanted = {"NOUN"};
    for (const bool brown_first : {true, false}) {
        TagCounts tags;
        for (const bool brown : {brown_first, !brown_first}) {
            corpus::Sentence sentence;
            sentence.words = words;
            sentence.tags = brown ? corpus::TagSet::brown : corpus::TagSet::unknown;
            tags.add(sentence);
        }
        EXPECT_TRUE(tags.unknown(wanted).empty()) << brown_first;
    }
}

TEST(TagCounts, ListTenAndCountTheRest) {
    TagCounts tags;
    std::vector<std::string> names;
    for (int i = 10; i < 23; ++i) names.push_back("t" + std::to_string(i) + "-x");
    for (const std::string& name : names) {
        const std::vector<corpus::Word> words = {{0, 1, "", name}};
        corpus::Sentence sentence;
        sentence.words = words;
        tags.add(sentence);
    }
    const std::vector<std::string> wanted = {"t10", "q"};
    EXPECT_EQ(tags.unknown(wanted), std::vector<std::string>{"q"});  // t10-x is a kind of t10
    EXPECT_TRUE(tags.message(wanted).ends_with("\"t19-x\" and 3 more")) << tags.message(wanted);
    EXPECT_TRUE(TagCounts().message(wanted).ends_with("its words have none at all"));
}

}  // namespace
}  // namespace wordbreadth::extraction
