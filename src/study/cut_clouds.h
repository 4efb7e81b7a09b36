// Clouds of a store cut to a size by seeded sampling (see sample.h): r depends on the number of rows, so words that are
// compared have to have as many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/cloud_store.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

inline constexpr std::size_t fewest_rows = 2;  // that have a breadth

struct WantedCloud {
    const store::CloudStore* store = nullptr;
    std::size_t index = 0;  // in its words()
    std::size_t rows = 0;   // to cut it to
};

// A cloud, or why there is none: too few rows, all rows alike.
struct CutCloud {
    std::optional<Cloud> cloud;
    std::string reason;
};

// Throws InputError when the store is damaged.
[[nodiscard]] CutCloud cut_cloud(const WantedCloud& wanted, std::uint64_t seed);

// One for each wanted, in their order, whatever the number of threads. Throws InputError when a store is damaged,
// Cancelled when stopped.
[[nodiscard]] std::vector<CutCloud> cut_clouds(std::span<const WantedCloud> wanted, std::uint64_t seed,
                                               const Execution& execution);

// For the end of a message that none of these words has a cloud of `rows` rows: what helps those that only have too
// few. Empty where there are none, all of them being left out for another reason.
[[nodiscard]] std::string advice_for_fewer_rows(const store::CloudStore& store, std::span<const std::size_t> words,
                                                std::size_t rows);

// How many clouds of a size may be in memory at once. Many tests go through their clouds in batches of these: large
// enough to share splits, small enough for any machine.
[[nodiscard]] std::size_t clouds_of_a_batch(std::size_t rows, std::size_t dimension);

}  // namespace wordbreadth
