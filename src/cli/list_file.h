// Files that list something, one entry a line. Blank lines and lines that start with # are skipped; Windows line ends
// and a byte order mark are accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "wordbreadth/limits.h"

namespace wordbreadth::cli {

struct ListLimits {
    std::uint64_t bytes = limits::list_bytes;
    std::size_t line_bytes = limits::list_line_bytes;
    std::size_t entries = limits::list_entries;
};

// Calls entry(text, line) for each, the lines counted from 1. Throws InputError, naming the file, when it cannot be
// read or is past a limit; `expected` says what should be in it: "words, one a line". Throws what `entry` throws.
void read_list(const std::string& path, const std::string& expected,
               const std::function<void(std::string_view text, std::uint64_t line)>& entry,
               const ListLimits& limits = {});

}  // namespace wordbreadth::cli
