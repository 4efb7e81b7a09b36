// From a word to its senses, on a little WordNet whose entries are made for it: tests/data/wordnet.
#include <algorithm>

#include "lexicon/lexicon_testing.h"

namespace wordbreadth::lexicon {
namespace {

Senses senses_of(std::string_view word) {
    static const WordNet wordnet(little_wordnet);
    return wordnet.senses(word);
}

constexpr Senses none{};

TEST(SensesOfAWord, AreCountedByPartOfSpeech) {
    EXPECT_EQ(senses_of("dog"), (Senses{.noun = 3, .verb = 1}));
    EXPECT_EQ(senses_of("big"), (Senses{.adjective = 2, .adverb = 1}));
    EXPECT_EQ(senses_of("dog").all(), 4U);
}

TEST(SensesOfAWord, AreNoneWhereWordNetDoesNotKnowIt) {
    for (const char* word : {"wug", "", " ", "_", "-", ".", "(", "s", "ful", "ing", "\xFF", "ÄPFEL", "dog\n"}) {
        EXPECT_EQ(senses_of(word), none) << word;
    }
}

TEST(SensesOfAWord, DoNotDependOnCapitals) {
    EXPECT_EQ(senses_of("DoG"), senses_of("dog"));
    EXPECT_EQ(senses_of("Axes"), senses_of("axes"));
}

TEST(SensesOfAWord, AreThoseOfTheWordAndOfItsBaseFormTogether) {
    EXPECT_EQ(senses_of("saw"), (Senses{.noun = 2, .verb = 1 + 4}));
}

TEST(SensesOfAWord, AreThoseOfAllBaseFormsOfAnException) {
    EXPECT_EQ(senses_of("axes"), (Senses{.noun = 1 + 3, .verb = 2}));
    EXPECT_EQ(senses_of("better"), (Senses{.adjective = 5, .adverb = 3}));
}

TEST(SensesOfAWord, CountASynsetForEachOfItsBaseForms) {
    EXPECT_EQ(senses_of("installed"), (Senses{.verb = 3 + 3}));
}

TEST(SensesOfAWord, AreFoundByTheRulesOfItsPartOfSpeech) {
    EXPECT_EQ(senses_of("boxes"), (Senses{.noun = 2}));
    EXPECT_EQ(senses_of("firemen"), (Senses{.noun = 1}));
    EXPECT_EQ(senses_of("axing"), (Senses{.verb = 2}));
    EXPECT_EQ(senses_of("installs"), (Senses{.verb = 3}));
    EXPECT_EQ(senses_of("largest"), (Senses{.adjective = 2}));
    EXPECT_EQ(senses_of("harder"), none);  // adverbs have no rules
}

TEST(SensesOfAWord, AreNotThoseOfAWordThatOnlyLooksLikeItsSingular) {
    EXPECT_EQ(senses_of("glass"), none);
    EXPECT_EQ(senses_of("us"), none);
}

TEST(SensesOfAWord, AreFoundBehindAPluralBeforeFul) {
    EXPECT_EQ(senses_of("boxesful"), (Senses{.noun = 1}));
}

TEST(SensesOfACollocation, AreFoundInEverySpellingAndCountedOnce) {
    const Senses three{.noun = 3};  // two of hot_dog and two of hotdog, which share one
    for (const char* spelling : {"hot dog", "hot_dog", "hot-dog", "Hot Dogs", "hot-dogs"}) {
        EXPECT_EQ(senses_of(spelling), three) << spelling;
    }
    EXPECT_EQ(senses_of("hotdog"), (Senses{.noun = 2}));
    EXPECT_EQ(senses_of("ph.d."), (Senses{.noun = 1}));
}

TEST(SensesOfACollocation, AreFoundThroughItsParts) {
    EXPECT_EQ(senses_of("mothers-in-law"), (Senses{.noun = 1}));
    EXPECT_EQ(senses_of("dogs-in-boxes"), none);
}

TEST(SensesOfACollocation, OfAVerbAndAPrepositionAreFoundThroughTheVerb) {
    EXPECT_EQ(senses_of("looking up"), (Senses{.verb = 1}));
    EXPECT_EQ(senses_of("took in"), (Senses{.verb = 1}));
    EXPECT_EQ(senses_of("asked for troubles"), (Senses{.verb = 1}));
    EXPECT_EQ(senses_of("ask for troubles"), (Senses{.verb = 1}));
}

TEST(SensesOfAWord, LeaveOutTheMarkOfAnAdjective) {
    EXPECT_EQ(senses_of("big(p)"), senses_of("big"));
}

TEST(SensesOfAWord, CountOnceWhereItIsItsOwnException) {
    const TemporaryWordNet files;
    files.write("noun.exc", "dog dog\n");
    EXPECT_EQ(WordNet(files.folder()).senses("dog"), (Senses{.noun = 3, .verb = 1}));
}

TEST(SensesOfAWord, CountTheFirstOfTwoLinesOfAnException) {
    const TemporaryWordNet files;
    files.write("noun.exc", "wuggen box\nwuggen dog\n");
    EXPECT_EQ(WordNet(files.folder()).senses("wuggen"), (Senses{.noun = 2}));
}

TEST(SensesOfAWord, AreTheRealOnesInDebiansWordNet) {
    const WordNet wordnet;
    EXPECT_EQ(wordnet.senses("dog"), (Senses{.noun = 7, .verb = 1}));
    EXPECT_EQ(wordnet.senses("axes"), (Senses{.noun = 1 + 6, .verb = 2}));
    EXPECT_EQ(wordnet.senses("better"), (Senses{.noun = 4, .verb = 3, .adjective = 28, .adverb = 15}));
}

TEST(TaggedSenses, AreThoseOfTheWordAndOfItsBaseForms) {
    const TemporaryWordNet files;
    files.write(
        "cntlist.rev",
        "dog%1:05:00:: 1 42\ndog%1:18:01:: 2 3\ndog%2:38:00:: 1 2\nbig%3:00:01:: 1 7\nbig%5:00:00:great:00 2 1\n"
        "big%4:02:00:: 1 5\nsee%2:39:00:: 1 11\n");
    const WordNet wordnet(files.folder());
    const auto sorted = [&](const char* word) {
        auto counts = wordnet.tagged(word);
        std::ranges::sort(counts);
        return counts;
    };
    using Counts = std::vector<std::uint64_t>;
    EXPECT_EQ(sorted("dog"), (Counts{2, 3, 42}));
    EXPECT_EQ(sorted("Dogs"), (Counts{2, 3, 42}));
    EXPECT_EQ(sorted("big"), (Counts{1, 5, 7}));
    EXPECT_EQ(sorted("saw"), (Counts{11}));
    EXPECT_TRUE(wordnet.tagged("axes").empty());
    EXPECT_TRUE(WordNet(little_wordnet).tagged("dog").empty());  // which has no such file
    EXPECT_TRUE(wordnet.has_lemma("dog"));
    EXPECT_TRUE(wordnet.has_lemma("saw"));
    EXPECT_FALSE(wordnet.has_lemma("dogs"));
    EXPECT_FALSE(wordnet.has_lemma("wug"));
}

TEST(TaggedSenses, AMalformedListIsAnErrorWithItsLine) {
    for (const char* const line : {"dog 1 42", "dog%1:05:00:: 1", "dog%9:05:00:: 1 42", "%1:05:00:: 1 42",
                                   "dog%1:05:00:: 1 many", "dog% 1 42"}) {
        const TemporaryWordNet files;
        files.write("cntlist.rev", std::string("dog%1:05:00:: 1 42\n") + line + "\n");
        EXPECT_NE(files.error().find("cntlist.rev:2: "), std::string::npos) << line << ": " << files.error();
    }
}

}  // namespace
}  // namespace wordbreadth::lexicon
