#include <gtest/gtest.h>

#include "wordbreadth/names.h"

namespace wordbreadth {
namespace {

template <class Choice>
void expect_round_trip() {
    for (const auto& [value, name] : names_of(Choice{})) {
        EXPECT_EQ(name_of(value), name);
        EXPECT_EQ(choice_named<Choice>(name), value);
    }
    EXPECT_EQ(choice_named<Choice>("no such name"), std::nullopt);
}

TEST(ChoiceNames, EveryValueIsFoundByItsName) {
    expect_round_trip<Alignment>();
    expect_round_trip<Statistic>();
    expect_round_trip<Alternative>();
    expect_round_trip<Adjustment>();
    expect_round_trip<Subwords>();
    expect_round_trip<ExtractUnit>();
    expect_round_trip<LetterCase>();
    expect_round_trip<InvalidBytes>();
    expect_round_trip<NumberType>();
}

TEST(ChoiceNames, AreKnownToTheCompiler) {
    static_assert(name_of(Adjustment::benjamini_hochberg) == "bh");
    static_assert(choice_named<Alternative>("two-sided") == Alternative::two_sided);
}

}  // namespace
}  // namespace wordbreadth
