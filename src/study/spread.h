// A few usages that stand for all of a word: spread over its cloud instead of drawn at random, where common usages
// would crowd out the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "study/usages.h"
#include "wordbreadth/cloud.h"

namespace wordbreadth {

// Farthest-point sampling: `first`, then again and again the row whose nearest chosen row is farthest by cosine (the
// earliest of equal ones), until there are `count` or all rows are chosen. In that order, so that a smaller count gives
// the beginning of it.
[[nodiscard]] std::vector<std::size_t> spread_rows(const Cloud& cloud, std::size_t count, std::size_t first);

// `count` usages of the word, in that order, starting from one that the seed decides (see sample.h); their influence is
// that within the whole cloud. A cloud without breadth has no far and near: it gives a plain sample.
// Throws InputError when the store has no such word, or is damaged.
[[nodiscard]] std::vector<Usage> spread_usages(const store::CloudStore& store, const std::string& word,
                                               std::size_t count, std::uint64_t seed);

}  // namespace wordbreadth
