// The numbers of a JSON list, at half the cost of simdjson's.
#pragma once

#include <cstddef>
#include <vector>

namespace wordbreadth::importing {

// Sets `values` to the numbers of the list whose '[' is at `list`, on one line: each is the float64 that is nearest to
// the text, rounded to float32. Returns where the list ends, after its ']'. Null, with `values` unspecified, unless it
// has at most `most` numbers in JSON's form, none too large for float64: what it is then, others find out. The text
// must be followed by a byte that cannot be part of a list, a line's end or 0, and 8 more that can be read.
[[nodiscard]] const char* read_real_list(const char* list, std::size_t most, std::vector<float>& values);

}  // namespace wordbreadth::importing
