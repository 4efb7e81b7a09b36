// A first look at the JSON object in a line, for its word and its numbers. It is strict in what it takes and leaves the
// rest, escapes and objects in objects among it, to a real parser.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importing/rows.h"

namespace wordbreadth::importing {

// The string of the preferred key for words, where it comes before anything that is not understood here. Whether the
// line is JSON is not looked at.
[[nodiscard]] std::optional<std::string_view> word_in(std::string_view line, const RoleNames& names);

// A list of numbers in a line.
struct NumberList {
    std::size_t begin = 0, end = 0;  // of its brackets
};

// Reads the numbers of the first key for vectors into `values`; nothing, where that is no list of at most `most`
// numbers, or comes after what is not understood here. The line ends as read_real_list() needs it.
[[nodiscard]] std::optional<NumberList> read_vector_in(std::string_view line, const RoleNames& names, std::size_t most,
                                                       std::vector<float>& values);

}  // namespace wordbreadth::importing
