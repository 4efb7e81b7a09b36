// Words of a list that get no cloud: the others are extracted, and the reasons reported.
#include "extraction/settings.h"

#include <gtest/gtest.h>

#include "store/layout.h"
#include "support/errors.h"
#include "support/snapshot.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

std::string repeated(const std::string& line, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += line + "\n";
    return text;
}

// "banks" is two tokens to the model, "zebra" none that it knows.
std::string lines() {
    return repeated("the bank of the river", 30) + repeated("deep water", 5) + repeated("old banks", 25) +
           repeated("a zebra", 22);
}

ExtractOptions with_words(const Workshop& workshop, const std::string& out, std::vector<std::string> words) {
    ExtractOptions options = workshop.options(out);
    options.words = std::move(words);
    options.deduplicate = Deduplicate::none;  // the lines are repeated
    return options;
}

std::vector<float> rows_of(const std::string& folder, const std::string& word) {
    const Store store(folder);
    const auto rows = store.rows(store.find(word));
    return {rows.begin(), rows.end()};
}

TEST(MissingWords, AreListedWithTheReasonAndTheOthersExtracted) {
    const Workshop workshop(lines());
    const ExtractSummary summary =
        extract(with_words(workshop, "store", {"Bank", "river", "water", "banks", "zebra", "moon"}));
    EXPECT_EQ(summary.asked, 6U);
    EXPECT_EQ(summary.words, 2U);
    EXPECT_EQ(summary.kept_by_mean, 1U);
    const std::vector<MissingWord> expected = {
        {"banks", 25, 0, "several tokens (25 of 25 occurrences): 0 usable of 20 needed"},
        {"moon", 0, 0, "not in the corpus"},
        {"water", 5, 5, "too rare: 5 usable of 20 needed"},
        {"zebra", 22, 0, "not in the model's vocabulary (22 of 22 occurrences): 0 usable of 20 needed"}};
    EXPECT_EQ(Store(workshop.path("store")).missing(), expected);
    ASSERT_EQ(summary.missing.size(), expected.size());
    EXPECT_EQ(summary.missing[2].word, "water");
    EXPECT_EQ(summary.missing[2].reason, expected[2].reason);
}

TEST(MissingWords, ChangeNothingOfTheWordsThatAreKept) {
    const Workshop workshop(random_lines(200) + lines());
    extract(with_words(workshop, "two", {"bank", "river"}));
    extract(with_words(workshop, "more", {"bank", "banks", "moon", "river"}));
    ExtractOptions options = workshop.options("all");
    options.deduplicate = Deduplicate::none;
    extract(options);
    EXPECT_TRUE(Store(workshop.path("two")).missing().empty());
    const Store all(workshop.path("all")), more(workshop.path("more"));
    for (const std::string word : {"bank", "river"}) {
        EXPECT_EQ(rows_of(workshop.path("two"), word), rows_of(workshop.path("more"), word));
        const auto sampled = all.occurrences(all.find(word)), kept = more.occurrences(more.find(word));
        ASSERT_EQ(sampled.size(), kept.size());
        for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(sampled[i].sentence, kept[i].sentence);
    }
}

TEST(MissingWords, AreAnErrorOnlyWhenNoneIsLeft) {
    const Workshop workshop(lines());
    ExtractOptions options = with_words(workshop, "store", {"banks", "moon"});
    EXPECT_EQ(error_of([&] { extract(options); }),
              "no word of the list can be extracted: \"banks\" (several tokens (25 of 25 occurrences): 0 usable of 20 "
              "needed), \"moon\" (not in the corpus); take the mean (subwords mean) for words of several tokens, which "
              "could keep 1");
    EXPECT_FALSE(is_store(options.out));
    options.subwords = Subwords::mean;
    EXPECT_EQ(extract(options).words, 1U);
    options = with_words(workshop, "other", {"water"});
    EXPECT_EQ(error_of([&] { extract(options); }),
              "no word of the list can be extracted: \"water\" (too rare: 5 usable of 20 needed); lower the minimum "
              "count, or give more text");
}

TEST(MissingWords, InAnotherCaseAreSuggested) {
    const Workshop workshop(lines());
    ExtractOptions options = with_words(workshop, "store", {"Bank", "river"});
    options.letter_case = LetterCase::keep;
    const ExtractSummary summary = extract(options);
    ASSERT_EQ(summary.missing.size(), 1U);
    EXPECT_EQ(summary.missing[0].reason, "not in the corpus; other case: did you mean \"bank\"?");
}

TEST(MissingWords, SayWhenAllButCopiesAreTooFew) {
    const Workshop workshop(repeated("the bank of the river", 30));
    ExtractOptions options = with_words(workshop, "store", {"bank"});
    options.deduplicate.reset();
    EXPECT_EQ(error_of([&] { extract(options); }),
              "no word of the list can be extracted: \"bank\" (in exact copies (29 of 30 occurrences): 1 usable of 20 "
              "needed); lower the minimum count, or give more text");
    EXPECT_EQ(error_of([&] { extract(workshop.options()); }),
              "no word of the corpus has 20 usable occurrences; the most frequent has 2: lower the minimum count, or "
              "give more text, or keep copies of sentences");
}

TEST(MissingWords, SayWhenAllHaveSeveralTokens) {
    const Workshop workshop(repeated("banks", 30));
    EXPECT_TRUE(error_of([&] {
                    extract(workshop.options());
                }).ends_with("or give more text, or take the mean (subwords mean) for words of several tokens"));
}

TEST(MissingWords, SayWhenTheModelDoesNotKnowThem) {
    const Workshop workshop(repeated("zebra lion bank", 2));
    EXPECT_TRUE(error_of([&] {
                    extract(workshop.options());
                }).ends_with(", or take a model for this language (4 of 6 words: not in the model's vocabulary)"));
}

TEST(MissingWords, SayWhenThereAreNoneAtAll) {
    const Workshop workshop(repeated("1, 2, 3.", 30));
    EXPECT_EQ(error_of([&] { extract(workshop.options()); }),
              "the corpus has no word; numbers and punctuation do not count as words");
}

TEST(MissingWords, ReasonsAddUp) {
    const std::vector<std::string> list = {"bank", "Object"};
    WantedWords wanted(list, true);
    for (int i = 0; i < 3; ++i) wanted.add("bank", Use::usable);
    wanted.add("bank", Use::truncated);
    for (int i = 0; i < 2; ++i) wanted.add("bank", Use::several_tokens);
    wanted.add("Object", Use::usable);
    for (int i = 0; i < 5; ++i) wanted.add(i == 0 ? "OBJECT" : "object", Use::usable);
    EXPECT_EQ(reason_for(wanted, "bank", 3, {40, 0}),
              "too rare: 3 usable of 40 needed; several tokens (2 of 6 occurrences)");
    EXPECT_EQ(reason_for(wanted, "bank", 3, {5, 0}), "several tokens (2 of 6 occurrences): 3 usable of 5 needed");
    EXPECT_EQ(reason_for(wanted, "Object", 1, {2, 0}),
              "too rare: 1 usable of 2 needed; other case: did you mean \"object\"?");
    wanted = WantedWords(list, false);
    for (int i = 0; i < 9; ++i) wanted.add("bank", Use::usable);
    EXPECT_EQ(reason_for(wanted, "bank", 3, {5, 1}), "too rare: 3 usable of 5 needed, at most 1 from one document");
}

}  // namespace
}  // namespace wordbreadth::extraction
