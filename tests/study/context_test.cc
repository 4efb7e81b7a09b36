#include "wordbreadth/concordance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "arrays/array_testing.h"
#include "store/small_store.h"

namespace wordbreadth {
namespace {

ConcordanceLine usage(const std::string& text, std::uint64_t start, std::uint64_t end, double influence = 0) {
    return {{0, "document", 0, text, start, end}, influence};
}

std::vector<std::string> sorted(std::vector<ConcordanceLine> usages, ConcordanceOrder order) {
    sort_usages(usages, order);
    std::vector<std::string> texts;
    for (const ConcordanceLine& each : usages) texts.push_back(each.occurrence.text);
    return texts;
}

TEST(Context, CountsInCharacters) {
    const Context context = context_of(usage("Zu große Fußbälle 🙂 rollen", 9, 17).occurrence);
    EXPECT_EQ(context.left, "Zu große ");
    EXPECT_EQ(context.node, "Fußbälle");
    EXPECT_EQ(context.right, " 🙂 rollen");
}

TEST(Context, EndsWithTheText) {
    const Context context = context_of(usage("bank", 2, 99).occurrence);
    EXPECT_EQ(context.node, "nk");
    EXPECT_EQ(context_of(usage("bank", 7, 3).occurrence).left, "bank");
}

TEST(ConcordanceOrder, LeftGoesByTheNearestWordFirst) {
    EXPECT_EQ(sorted({usage("a the x", 6, 7), usage("z, A x", 5, 6), usage("B the x", 6, 7), usage("x", 0, 1)},
                     ConcordanceOrder::left),
              (std::vector<std::string>{"x", "z, A x", "a the x", "B the x"}));
}

TEST(ConcordanceOrder, RightGoesByTheWordsAfterwards) {
    EXPECT_EQ(sorted({usage("x of it", 0, 1), usage("x, \"Of a", 0, 1), usage("x and", 0, 1)}, ConcordanceOrder::right),
              (std::vector<std::string>{"x and", "x, \"Of a", "x of it"}));
}

TEST(ConcordanceOrder, TakesCharactersForWordsWhereThereAreNoSpaces) {
    EXPECT_EQ(sorted({usage("一二三x", 3, 4), usage("二三一x", 3, 4), usage("三二一x", 3, 4)}, ConcordanceOrder::left),
              (std::vector<std::string>{"二三一x", "三二一x", "一二三x"}));
}

TEST(ConcordanceOrder, InfluenceFallsAndWhatHasNoneComesLast) {
    EXPECT_EQ(sorted({usage("none", 0, 1, std::nan("")), usage("small", 0, 1, -1), usage("large", 0, 1, 2)},
                     ConcordanceOrder::influence),
              (std::vector<std::string>{"large", "small", "none"}));
}

TEST(Usages, HaveThePlaceAndTheInfluenceOfEachRow) {
    const TemporaryFolder folder;
    store::write_small_store(folder.path());
    const Store store(folder.path());
    const std::vector<ConcordanceLine> bank = usages(store, "bank");
    ASSERT_EQ(bank.size(), 3U);
    EXPECT_EQ(bank[2].occurrence.document, "second");
    EXPECT_EQ(context_of(bank[2].occurrence).node, "bank");
    EXPECT_TRUE(std::isfinite(bank[0].influence));
    EXPECT_TRUE(std::isnan(usages(store, "money")[0].influence));  // one row has no breadth
    EXPECT_NE(error_of([&] { (void)usages(store, "moon"); }).find("has no word"), std::string::npos);
}

TEST(Usages, CanBeSampled) {
    const TemporaryFolder folder;
    store::write_small_store(folder.path());
    const std::vector<ConcordanceLine> all = usages(Store(folder.path()), "bank");
    EXPECT_EQ(sampled(all, "bank", 2, 0).size(), 2U);
    EXPECT_EQ(sampled(all, "bank", 9, 0).size(), 3U);
}

}  // namespace
}  // namespace wordbreadth
