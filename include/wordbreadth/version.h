// Which version of the library this is, and the paper that it implements.
#pragma once

#include <string_view>

namespace wordbreadth {

[[nodiscard]] std::string_view version();  // "0.3.0"

// How to cite the method, on one line.
[[nodiscard]] std::string_view citation();

}  // namespace wordbreadth
