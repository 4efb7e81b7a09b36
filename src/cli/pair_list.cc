#include "cli/pair_list.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "wordbreadth/error.h"

namespace wordbreadth::cli {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

NamedPair pair_on(std::string_view text, const std::string& path, std::size_t line) {
    const auto tabs = std::count(text.begin(), text.end(), '\t');
    const std::string where = path + ":" + std::to_string(line) + ": ";
    if (tabs != 1)
        throw InputError(where + std::to_string(tabs + 1) + (tabs == 0 ? " field" : " fields") +
                         "; expected two cloud names with a tab between them");
    const std::size_t tab = text.find('\t');
    NamedPair pair{std::string(text.substr(0, tab)), std::string(text.substr(tab + 1)), line};
    if (pair.x.empty() || pair.y.empty())
        throw InputError(where + "a cloud name is empty; expected two with a tab between them");
    return pair;
}

[[noreturn]] void fail_to_read(const std::string& path) {
    throw InputError(path + ": cannot be read (" + std::generic_category().message(errno) +
                     "); expected a file of two cloud names a line");
}

}  // namespace

std::vector<NamedPair> read_pair_list(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) fail_to_read(path);
    std::vector<NamedPair> pairs;
    std::string text;
    for (std::size_t line = 1; std::getline(file, text); ++line) {
        if (line == 1 && text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
        if (text.ends_with('\r')) text.pop_back();
        if (text.empty() || text.starts_with('#')) continue;
        pairs.push_back(pair_on(text, path, line));
    }
    if (!file.eof()) fail_to_read(path);  // a folder opens, but does not read
    if (pairs.empty()) throw InputError(path + ": lists no pairs; expected two cloud names a line, a tab between them");
    return pairs;
}

}  // namespace wordbreadth::cli
