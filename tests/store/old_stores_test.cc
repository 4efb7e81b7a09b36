// tests/store/old has stores that were written before there was an index: they open as ever.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/sha256.h"
#include "store/layout.h"
#include "support/temporary.h"
#include "wordbreadth/provenance.h"
#include "wordbreadth/store.h"

namespace wordbreadth::store {
namespace {

std::string old_store(const std::string& version) {
    return std::string(TESTS_DIR) + "/store/old/version-" + version;
}

std::vector<float> rows_of(const Store& store, const std::string& word) {
    const std::span<const float> rows = store.rows(store.find(word));
    return {rows.begin(), rows.end()};
}

TEST(OldStores, OfOneLayerAreReadAsTheyWereWritten) {
    const std::string folder = old_store("1");
    ASSERT_FALSE(std::filesystem::exists(index_path(folder)));
    const Store store(folder);
    ASSERT_EQ(store.size(), 2U);
    EXPECT_EQ(rows_of(store, "bank"), (std::vector<float>{1, 0.5, 0.25, 0.5, 1, -0.25, 0.125, -1, 2}));
    EXPECT_EQ(rows_of(store, "river"), (std::vector<float>{3, 1, 0.5, 3, 1.5, 0.75}));
    EXPECT_EQ(store.documents(0), (std::vector<std::uint64_t>{0, 1, 1}));
    EXPECT_EQ(store.occurrences(1).back().text, "a river");
    EXPECT_EQ(store.word(0).frequency, 3U);
    EXPECT_EQ(describe_store(folder).rows, 5U);
}

TEST(OldStores, OfSeveralLayersAreReadAsTheyWereWritten) {
    const std::string folder = old_store("2");
    EXPECT_EQ(Store(folder).layer(), "2");  // the default of today, not of the version that wrote it
    for (const auto& [layer, expected] :
         {std::pair{"2", "0f7121705f520a5c6b6e4f24b2649767556a1fa8751e359c851195e0ff1cbba0"},
          std::pair{"4", "8c729073172246fd86b3ee391f255b7bb758781b5b835864cf9be0349da13afc"}}) {
        const Store store(folder, layer);
        EXPECT_EQ(store.layers(), (std::vector<std::string>{"2", "4"}));
        ASSERT_EQ(store.size(), 3U);
        base::Sha256 all;
        for (std::size_t word = 0; word < store.size(); ++word) all.add(std::as_bytes(store.rows(word)));
        EXPECT_EQ(all.digest(), expected);
    }
}

// By which results that were computed from them are verified.
TEST(OldStores, AreIdentifiedAsBefore) {
    EXPECT_EQ(identify_input(old_store("1")).sha256,
              "ccc98f3f49f8b6b2dc1c745dba5762ae6e76db46637831dddd1421334d49535a");
    EXPECT_EQ(identify_input(old_store("2")).sha256,
              "aba59851e4e47375cfe229020f18a1a0cf06628e12c529c79f8aacacdaa285b4");
}

}  // namespace
}  // namespace wordbreadth::store
