// The numbers of a JSON list, at half the cost of simdjson's.
#pragma once

#include <cstddef>
#include <vector>

namespace wordbreadth::importing {

// Sets `values` to the numbers of the list whose '[' is at `list`, on one line: each is the float64 that is nearest to
// the text, rounded to float32. Returns where the list ends, behind its ']'. Null, and `values` are of no use, when it
// is anything but at most `most` numbers as JSON has them, each within the range of float64: what it is then is for
// others to say. Where the text ends there is a byte that is no part of a list, a line's end or 0, and 8 more can be
// read.
[[nodiscard]] const char* read_real_list(const char* list, std::size_t most, std::vector<float>& values);

}  // namespace wordbreadth::importing
