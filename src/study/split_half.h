// The sanity check: the two halves of a word's occurrences tested against each other, for every word of a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "store/cloud_store.h"
#include "study/ks_test.h"
#include "study/many_tests.h"
#include "study/methods.h"

namespace wordbreadth {

struct SplitHalfOptions {
    std::size_t rows = 0;  // of each word, halved; at least 4
    std::uint64_t permutations = 20000;
    std::uint64_t seed = 0;
    Execution execution = {};
};

struct SplitHalf {
    std::size_t n = 0, m = 0;           // rows of the halves
    std::vector<std::string> words;     // in a random order; those with enough rows
    std::vector<std::uint64_t> totals;  // rows of each in the store
    MethodP greater, two_sided;         // p of each word
    PerMethod<Uniformity> greater_uniformity, two_sided_uniformity;
};

// Throws InputError when fewer than 2 words have enough rows, Cancelled when stopped.
[[nodiscard]] SplitHalf split_half(const store::CloudStore& store, const SplitHalfOptions& options);

}  // namespace wordbreadth
