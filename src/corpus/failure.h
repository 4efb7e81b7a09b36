// How the readers say that a line of a corpus is bad.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/failure.h"

namespace wordbreadth::corpus {

using base::fail;
using base::fail_at;
using base::in_quotes;

// "1 field", "2 fields".
[[nodiscard]] inline std::string count_of(std::size_t number, std::string_view thing) {
    return std::to_string(number).append(" ").append(thing).append(number == 1 ? "" : "s");
}

}  // namespace wordbreadth::corpus
