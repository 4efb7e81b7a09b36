// Lists of words, from a file or from the command line.
#pragma once

#include <string>
#include <vector>

namespace wordbreadth::cli {

// One word a line (list_file.h).
// Throws InputError, naming the file, when it cannot be read, is past a limit, is not UTF-8 or lists no word.
[[nodiscard]] std::vector<std::string> read_word_list(const std::string& path);

// "bank,river". Throws InputError for an empty word.
[[nodiscard]] std::vector<std::string> words_between_commas(const std::string& text);

}  // namespace wordbreadth::cli
