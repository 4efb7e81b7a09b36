#include "study/halves.h"

#include <gtest/gtest.h>

#include <set>

#include "geometry/vector_math.h"
#include "study/many_words.h"
#include "study/sampling.h"
#include "support/array_testing.h"
#include "wordbreadth/breadth.h"

namespace wordbreadth {
namespace {

class HalvesTest : public ::testing::Test {
  protected:
    HalvesTest() { write_many_words(folder_.path(), 10, 20); }
    [[nodiscard]] Store store() const { return Store(folder_.path()); }
    TemporaryFolder folder_;
};

double cosine(const Cloud& a, const Cloud& b) {
    return geometry::dot(a.sum(), b.sum()) / geometry::norm(a.sum()) / geometry::norm(b.sum());
}

TEST_F(HalvesTest, GoThroughAllWordsBeforeOneComesAgain) {
    const study::Halves made = study::halves(store(), {.first = 10, .second = 10, .count = 15}, 0, 15);
    EXPECT_EQ(made.tests.size(), 15U);
    EXPECT_EQ(std::set(made.words.begin(), made.words.begin() + 10).size(), 10U);
}

TEST_F(HalvesTest, OfALaterRoundAreDealtDifferently) {
    const study::Halves made = study::halves(store(), {.first = 10, .second = 10, .count = 20}, 0, 20);
    std::set<double> lengths;
    for (const Cloud& cloud : made.clouds) lengths.insert(geometry::norm(cloud.sum()));
    EXPECT_EQ(lengths.size(), 40U);
}

TEST_F(HalvesTest, InPartsAreThoseOfTheWhole) {
    const study::HalvesOptions options{.first = 5, .second = 15, .turned = true, .count = 12};
    const study::Halves whole = study::halves(store(), options, 0, 12), part = study::halves(store(), options, 7, 12);
    ASSERT_EQ(part.clouds.size(), 10U);
    EXPECT_TRUE(std::ranges::equal(part.clouds[1].unit_rows(), whole.clouds[15].unit_rows()));
}

TEST_F(HalvesTest, TurnedKeepTheirBreadthAndPointElsewhere) {
    const study::Halves straight = study::halves(store(), {.first = 10, .second = 10, .count = 10}, 0, 10);
    const study::Halves turned =
        study::halves(store(), {.first = 10, .second = 10, .turned = true, .count = 10}, 0, 10);
    for (std::size_t i = 0; i < 20; i += 2) {
        EXPECT_TRUE(std::ranges::equal(straight.clouds[i].unit_rows(), turned.clouds[i].unit_rows()));
        EXPECT_NEAR(breadth(straight.clouds[i + 1]).v, breadth(turned.clouds[i + 1]).v, 1e-12);
        EXPECT_GT(cosine(straight.clouds[i], straight.clouds[i + 1]), 0.5);
        const std::size_t next = (i + 2) % 20;  // the word whose direction it takes
        EXPECT_NEAR(cosine(turned.clouds[i + 1], straight.clouds[next + 1]), 1, 1e-9);
    }
}

TEST_F(HalvesTest, NeedWordsWithEnoughRows) {
    const std::string error = error_of([&] { (void)study::halves(store(), {.first = 15, .second = 10}, 0, 1); });
    EXPECT_NE(error.find("0 words have the 25 rows"), std::string::npos) << error;
}

}  // namespace
}  // namespace wordbreadth
