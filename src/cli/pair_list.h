// The list of pairs to test, from a file (list_file.h): two cloud names a line, a tab between them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wordbreadth::cli {

struct NamedPair {
    std::string x, y;
    std::size_t line = 0;  // from 1
};

// Throws InputError, naming file and line, for a line with another number of fields or an empty one, and when the file
// cannot be read, is past a limit or lists no pair.
[[nodiscard]] std::vector<NamedPair> read_pair_list(const std::string& path);

}  // namespace wordbreadth::cli
