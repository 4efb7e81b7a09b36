// Pairs that are equal in breadth by construction: the two halves of one word, as they are or turned apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wordbreadth/cloud.h"
#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth::study {

struct HalvesOptions {
    std::size_t first = 0, second = 0;  // rows in each part
    bool turned = false;                // reflect the second part so that its mean points where another word's does
    std::size_t count = 1000;           // pairs; words are used again, divided differently, where there are fewer
    std::uint64_t seed = 0;
    Execution execution = {};
    bool own = false;  // halves of all rows that a word has; first + second is how many it needs at least
};

struct Halves {
    std::vector<std::size_t> words;  // of each pair, its place in the store's words
    std::vector<Cloud> clouds;       // the first and the second part, pair after pair
    std::vector<Pair> tests;
};

// Pairs begin .. end - 1 of `count`, so that memory need not hold all. Words with fewer than first + second rows are
// left out, and so are pairs that have no breadth. Throws InputError when fewer than 2 words are left.
[[nodiscard]] Halves halves(const Store& store, const HalvesOptions& options, std::size_t begin, std::size_t end);

// These words in the random order of one of the rounds in which pairs go through them, and a seed for that round.
[[nodiscard]] std::vector<std::size_t> words_of_round(std::vector<std::size_t> words, const Store& store,
                                                      std::uint64_t seed);
[[nodiscard]] std::uint64_t seed_of_round(std::uint64_t seed, std::size_t round);

// The cloud, with its blocks, reflected so that its mean points where that of `other` does.
[[nodiscard]] Cloud turned(const Cloud& cloud, const Cloud& other);

}  // namespace wordbreadth::study
