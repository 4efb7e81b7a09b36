// Lists that users give: words, pairs of clouds or labels of rows, one entry per line of a file. Blank lines and lines
// that start with # are skipped; Windows line ends and a byte order mark are accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wordbreadth/limits.h"

namespace wordbreadth {

struct ListLimits {
    std::uint64_t bytes = limits::list_bytes;
    std::size_t line_bytes = limits::list_line_bytes;
    std::size_t entries = limits::list_entries;
};

// Calls entry(text, line) for each, the lines counted from 1. Throws InputError, naming the file, when it cannot be
// read or exceeds a limit; `expected` says what should be in it: "words, one per line". Throws what `entry` throws.
void read_list(const std::string& path, const std::string& expected,
               const std::function<void(std::string_view text, std::uint64_t line)>& entry,
               const ListLimits& limits = {});

// One word per line, in UTF-8. Throws InputError as read_list does, and when there is no word.
[[nodiscard]] std::vector<std::string> read_word_list(const std::string& path);

struct NamedPair {
    std::string x, y;
    std::size_t line = 0;  // from 1
};

// Two cloud names per line, separated by a tab. Throws InputError as read_list does, when there is no pair, and, naming
// the line, for one with another number of fields or an empty one.
[[nodiscard]] std::vector<NamedPair> read_pair_list(const std::string& path);

// Which rows of clouds belong together: for each cloud a label per row, in the order of its rows.
struct BlockLabels {
    struct OfCloud {
        std::vector<std::string> labels;
        std::size_t line = 0;  // of the first, from 1
    };

    std::string path;
    std::map<std::string, OfCloud> clouds;
};

// A cloud name and a label per line, separated by a tab, one line for each row of the cloud. Throws InputError as
// read_list does, when there is no label, and, naming the line, for one with another number of fields or an empty one.
[[nodiscard]] BlockLabels read_block_labels(const std::string& path);

}  // namespace wordbreadth
