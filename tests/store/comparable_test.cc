#include "wordbreadth/store.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/two_stores.h"

namespace wordbreadth {
namespace {

std::string complaint(const Settings& a, const Settings& b, std::size_t dimension_b = 3) {
    const TemporaryFolder folder;
    write_store_made_with(folder.path() + "/a", a);
    write_store_made_with(folder.path() + "/b", b, dimension_b);
    const Store store_a(folder.path() + "/a"), store_b(folder.path() + "/b");
    return error_of([&] { require_comparable(store_a, store_b); });
}

TEST(Comparable, NamesTheSettingAndBothValues) {
    for (const std::string setting : {"layers", "unit", "case", "lemmas", "subwords"}) {
        const std::string found = complaint({{"model", "m"}, {setting, "this"}}, {{"model", "m"}, {setting, "that"}});
        EXPECT_NE(found.find("different " + setting + ": this and that;"), std::string::npos) << found;
    }
    EXPECT_NE(complaint({}, {}, 4).find("different dimensions: 3 and 4"), std::string::npos);
    EXPECT_NE(complaint({{"layers", "4"}}, {}).find("layers: 4 and not recorded"), std::string::npos);
}

TEST(Comparable, KnowsAModelByItsWeights) {
    EXPECT_EQ(complaint({{"model", "here"}, {"model sha256", "1"}}, {{"model", "there"}, {"model sha256", "1"}}),
              "no error");
    const std::string found =
        complaint({{"model", "same"}, {"model sha256", "1"}}, {{"model", "same"}, {"model sha256", "2"}});
    EXPECT_NE(found.find("different models: same (sha256 1) and same (sha256 2)"), std::string::npos) << found;
    EXPECT_NE(complaint({{"model", "x"}}, {{"model", "y"}}).find("models: x and y"), std::string::npos);
}

TEST(Comparable, NamesAllThatDiffers) {
    const std::string found = complaint({{"model", "m"}, {"layers", "1"}, {"subwords", "mean"}},
                                        {{"model", "m"}, {"layers", "4"}, {"subwords", "single"}});
    EXPECT_NE(found.find("different layers: 1 and 4, subwords: mean and single;"), std::string::npos) << found;
}

TEST(Comparable, OtherSettingsMayDiffer) {
    EXPECT_EQ(complaint({{"corpus", "x"}, {"seed", "1"}}, {{"corpus", "y"}, {"seed", "2"}}), "no error");
}

}  // namespace
}  // namespace wordbreadth
