#include "wordbreadth/concordance.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "store/small_store.h"
#include "study/random_clouds.h"
#include "study/sampling.h"

namespace wordbreadth {
namespace {

// Two groups on a circle, many usages of one and a single one of the other.
Cloud lopsided() {
    std::vector<double> values;
    for (int i = 0; i < 9; ++i) values.insert(values.end(), {1.0, 0.01 * i});
    values.insert(values.end(), {-0.2, 1.0});
    return {"lopsided", values, 2};
}

TEST(SpreadRows, FindsTheRareUsageAtOnce) {
    EXPECT_EQ(study::spread_rows(lopsided(), 2, 4), (std::vector<std::size_t>{4, 9}));
    EXPECT_EQ(study::spread_rows(lopsided(), 3, 4), (std::vector<std::size_t>{4, 9, 0}));
}

TEST(SpreadRows, IsTheFarthestRowEveryTime) {
    const Cloud cloud = testing::random_cloud("x", {.n = 25, .d = 7}, 5);
    const std::vector<std::size_t> rows = study::spread_rows(cloud, 10, 3);
    const auto nearest = [&](std::size_t row, std::size_t chosen) {
        double closest = -2;
        for (std::size_t k = 0; k < chosen; ++k) {
            double cosine = 0;
            for (std::size_t c = 0; c < 7; ++c) cosine += cloud.row(row)[c] * cloud.row(rows[k])[c];
            closest = std::max(closest, cosine);
        }
        return closest;
    };
    for (std::size_t k = 1; k < rows.size(); ++k)
        for (std::size_t row = 0; row < cloud.size(); ++row)
            EXPECT_LE(nearest(rows[k], k), nearest(row, k) + 1e-12) << k << " " << row;
}

TEST(SpreadRows, TakesEveryRowOnceWhenAskedForMore) {
    std::vector<std::size_t> rows = study::spread_rows(lopsided(), 100, 0);
    std::ranges::sort(rows);
    ASSERT_EQ(rows.size(), 10U);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], i);
}

TEST(SpreadUsages, StartWhereTheSeedSays) {
    const TemporaryFolder folder;
    store::write_store(folder.path(), {{"same", 9, 7, 0.0}, {"word", 50, 30, 1.0}}, 8);
    const Store store(folder.path());
    for (const std::uint64_t seed : {0, 1, 2}) {
        const std::vector<ConcordanceLine> found = spread_usages(store, "word", 5, seed);
        ASSERT_EQ(found.size(), 5U);
        EXPECT_EQ(found[0].occurrence.row, study::sample_rows("word", 30, 1, seed)[0]);
        EXPECT_EQ(found[0].influence, usages(store, "word")[found[0].occurrence.row].influence);
    }
    EXPECT_EQ(spread_usages(store, "same", 3, 0).size(), 3U);
}

}  // namespace
}  // namespace wordbreadth
