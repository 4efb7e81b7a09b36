// How the readers say that a line of a corpus is bad.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/failure.h"

namespace wordbreadth::corpus {

using store::fail;
using store::in_quotes;

// Throws InputError("path:line: what").
[[noreturn]] inline void fail_at(const std::string& path, std::uint64_t line, std::string_view what) {
    fail(path + ":" + std::to_string(line), what);
}

// "1 field", "2 fields".
[[nodiscard]] inline std::string count_of(std::size_t number, std::string_view thing) {
    return std::to_string(number).append(" ").append(thing).append(number == 1 ? "" : "s");
}

}  // namespace wordbreadth::corpus
