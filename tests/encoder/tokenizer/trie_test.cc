#include "encoder/tokenizer/trie.h"

#include <random>
#include <unordered_map>

#include "encoder/tokenizer/tokenizer_testing.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

std::optional<Trie::Match> longest(const Trie& trie, std::u32string_view text) {
    Characters characters;
    for (const char32_t c : text) characters.push_back({c, 0});
    return trie.longest(characters);
}

TEST(Trie, FindsTheLongestBeginning) {
    Trie trie;
    trie.add(U"a", 1);
    trie.add(U"abc", 3);
    EXPECT_EQ(longest(trie, U"abcd")->value, 3);
    EXPECT_EQ(longest(trie, U"abd")->value, 1);
    EXPECT_EQ(longest(trie, U"abd")->length, 1U);
    EXPECT_FALSE(longest(trie, U"b").has_value());
}

TEST(Trie, AnEmptyTextIsNeverFound) {
    Trie trie;
    trie.add(U"", 1);
    EXPECT_FALSE(longest(trie, U"a").has_value());
    EXPECT_FALSE(longest(trie, U"").has_value());
}

TEST(Trie, ALaterValueReplaces) {
    Trie trie;
    trie.add(U"a", 1);
    trie.add(U"a", 2);
    EXPECT_EQ(longest(trie, U"a")->value, 2);
}

TEST(Trie, TheLastCharacterOfUnicode) {
    Trie trie;
    trie.add(U"\U0010FFFF\U0010FFFF", 5);
    EXPECT_EQ(longest(trie, U"\U0010FFFF\U0010FFFF")->value, 5);
    EXPECT_FALSE(longest(trie, U"\U0010FFFF").has_value());
}

TEST(FlatMap, HoldsWhatAnOrdinaryMapHolds) {
    std::mt19937_64 random(1);
    FlatMap flat;
    std::unordered_map<std::uint64_t, std::uint32_t> ordinary;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
        const std::uint64_t key = random() % 30'000 * (i % 3 == 0 ? 1 : 0x100000000U);
        flat.set(key, i);
        ordinary[key] = i;
    }
    for (std::uint64_t key = 0; key < 30'000; ++key) {
        const auto found = ordinary.find(key);
        EXPECT_EQ(flat.find(key), found == ordinary.end() ? std::nullopt : std::optional(found->second));
    }
}

TEST(FlatMap, IsEmptyAtFirst) {
    EXPECT_FALSE(FlatMap().find(0).has_value());
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
