#include "cli/word_list.h"

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <system_error>

#include "corpus/utf8.h"
#include "wordbreadth/error.h"

namespace wordbreadth::cli {
namespace {

[[noreturn]] void fail_to_read(const std::string& path) {
    throw InputError(path + ": cannot be read (" + std::generic_category().message(errno) +
                     "); expected a list of words, one a line");
}

}  // namespace

std::vector<std::string> read_word_list(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) fail_to_read(path);
    std::vector<std::string> words;
    std::string line;
    for (std::uint64_t number = 1; std::getline(file, line); ++number) {
        if (number == 1 && line.starts_with(corpus::byte_order_mark)) line.erase(0, corpus::byte_order_mark.size());
        corpus::require_utf8(path, number, line);
        const std::string_view word = corpus::trimmed(line);
        if (!word.empty() && !word.starts_with('#')) words.emplace_back(word);
    }
    if (!file.eof()) fail_to_read(path);  // a folder opens, but does not read
    if (words.empty()) throw InputError(path + ": lists no word; expected one a line");
    return words;
}

std::vector<std::string> words_between_commas(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        words.push_back(text.substr(start, end - start));
        if (words.back().empty())
            throw InputError("--words " + text + ": holds an empty word; expected words with commas between them");
        start = end + 1;
    }
    return words;
}

}  // namespace wordbreadth::cli
