#include "cli/word_list.h"

#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "cli/list_file.h"
#include "wordbreadth/error.h"

namespace wordbreadth::cli {

std::vector<std::string> read_word_list(const std::string& path) {
    std::vector<std::string> words;
    read_list(path, "words, one a line", [&](std::string_view text, std::uint64_t line) {
        base::require_utf8(path, line, text);
        const std::string_view word = base::trimmed(text);
        if (!word.empty() && !word.starts_with('#')) words.emplace_back(word);
    });
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
