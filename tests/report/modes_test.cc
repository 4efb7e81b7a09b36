#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/results.h"

namespace wordbreadth::report {
namespace {

WordModes word_of(Spread spread, double v, double within) {
    Modes found;
    found.spread = spread;
    found.v = v;
    found.within = within;
    found.between = 0.31;
    found.documents = 4;
    found.modes.resize(spread == Spread::one_mode ? 1 : 2);
    for (Mode& mode : found.modes) mode.share = 1 / static_cast<double>(found.modes.size());
    return {"bank", found, ""};
}

TEST(WhyBroad, TellsSeparateUsesFromVagueness) {
    EXPECT_EQ(
        why_broad(word_of(Spread::several_modes, 3, 1), 2),
        "bank is broad because it has 2 separate uses: 31% of its spread lies between them, and within them it is "
        "narrower than the median word.");
    EXPECT_EQ(
        why_broad(word_of(Spread::several_modes, 3, 2.5), 2),
        "bank is broad because it has 2 separate uses: 31% of its spread lies between them, but within them, too, "
        "it is broader than the median word.");
    EXPECT_EQ(
        why_broad(word_of(Spread::one_mode, 3, 3), 2),
        "bank is broad because it is vague: its occurrences spread around one centre, and no group stands apart.");
    EXPECT_EQ(why_broad(word_of(Spread::broad_modes, 3, 3), 2),
              "bank is broad because it is vague: it has 2 shades of use, but only 31% of its spread lies between "
              "them.");
}

TEST(WhyBroad, KnowsNarrowWords) {
    EXPECT_EQ(why_broad(word_of(Spread::one_mode, 1, 1), 2),
              "bank is narrow: its occurrences form one group, tighter than the median word's.");
    EXPECT_EQ(why_broad(word_of(Spread::several_modes, 1, 1), 2),
              "bank is narrow, although it has 2 separate uses: 31% of its spread lies between them.");
    EXPECT_EQ(why_broad({"bank", {}, "has 3 rows"}, 2), "bank has 3 rows.");
}

TEST(ModesText, HasTheModesAndTheirTypicalOccurrences) {
    const ConcordanceLine line{{0, "doc", 0, "the bank", 4, 8}, 0};
    const ExplainedWord word{word_of(Spread::several_modes, 3, 1), 100, 50, {{line}, {line, line}}};
    const Explanation explanation{"store", 2, {word}, {}};
    const std::string text = text_of(explanation, word, {});
    EXPECT_NE(text.find("mode 2, 50%, the most typical first; all from doc\nthe bank\nthe bank\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find("the median word of the store has 2.00; pairs from different documents: 4"), std::string::npos)
        << text;
    EXPECT_EQ(json_of(explanation, word)["results"][1]["usages"].size(), 2U);
    const ExplainedWord none{{"bank", {}, "has 3 rows"}, 100, 3, {}};
    EXPECT_EQ(text_of(explanation, none, {}), "bank has 3 rows.\n");
    EXPECT_TRUE(json_of(explanation, none)["between"].is_null());
}

TEST(ModesSection, OpensToTheOccurrencesOfEachMode) {
    const ConcordanceLine line{{0, "doc", 0, "the <bank>", 4, 10}, 0};
    const ExplainedWord word{word_of(Spread::several_modes, 3, 1), 100, 50, {{line}, {line}}};
    Page page;
    add_modes(page, {"store", 2, {word}, {}}, "Why");
    ASSERT_EQ(page.sections.size(), 1U);
    ASSERT_EQ(page.concordances.size(), 1U);
    EXPECT_EQ(page.concordances[0].key, "bank (Why)");
    EXPECT_EQ(page.concordances[0].lines[1].source, "mode 2: doc");
    EXPECT_NE(html_of(page).find("data-concordance=\"bank (Why)\""), std::string::npos);
    add_modes(page, {"store", 2, {}, {}}, "Why");
    EXPECT_EQ(page.sections.size(), 1U);
}

}  // namespace
}  // namespace wordbreadth::report
