#include "cli/pair_list.h"

#include <algorithm>
#include <string_view>

#include "cli/list_file.h"
#include "wordbreadth/error.h"

namespace wordbreadth::cli {
namespace {

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

}  // namespace

std::vector<NamedPair> read_pair_list(const std::string& path) {
    std::vector<NamedPair> pairs;
    read_list(path, "pairs: two cloud names a line, a tab between them",
              [&](std::string_view text, std::uint64_t line) { pairs.push_back(pair_on(text, path, line)); });
    if (pairs.empty()) throw InputError(path + ": lists no pairs; expected two cloud names a line, a tab between them");
    return pairs;
}

}  // namespace wordbreadth::cli
