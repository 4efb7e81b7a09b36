// Rows of a store's words as clouds: samples of a word, and two parts of one that share no row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "store/cloud_store.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

struct Deal {
    std::vector<std::size_t> first, second;  // rows, in ascending order
};

// `first` and `second` rows out of `rows`, at random: the first part is what sample_rows() gives for its size, both
// together what it gives for theirs. Wants first + second <= rows.
[[nodiscard]] Deal deal_rows(std::string_view word, std::size_t rows, std::size_t first, std::size_t second,
                             std::uint64_t seed);

// The cloud of some rows of words()[index]. Nothing when they have no breadth (all alike).
[[nodiscard]] std::optional<Cloud> cloud_of(const store::CloudStore& store, std::size_t index,
                                            std::span<const std::size_t> rows);

// make(0) .. make(count - 1), on the threads of `execution`; its progress is not told. Throws Cancelled when stopped.
[[nodiscard]] std::vector<std::optional<Cloud>> make_clouds(
    std::size_t count, const std::function<std::optional<Cloud>(std::size_t)>& make, const Execution& execution);

}  // namespace wordbreadth
