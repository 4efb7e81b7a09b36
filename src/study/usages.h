// The usages of a word: where each row of its cloud comes from, and what it adds to the word's breadth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/cloud_store.h"

namespace wordbreadth {

struct Usage {
    store::Occurrence occurrence;
    double influence = 0;  // see influence.h; NaN in a cloud that has no breadth
};

// All of them, in the order of the corpus. Throws InputError when the store has no such word, or is damaged.
[[nodiscard]] std::vector<Usage> usages(const store::CloudStore& store, const std::string& word);

// `count` of them: a seeded sample (see sample.h), in the order they had.
[[nodiscard]] std::vector<Usage> sampled(std::vector<Usage> usages, const std::string& word, std::size_t count,
                                         std::uint64_t seed);

}  // namespace wordbreadth
