#include "cli/gap_list.h"

#include <set>
#include <string_view>

#include "cli/option_kinds.h"

namespace wordbreadth::cli {
namespace {

constexpr std::size_t widest = 1'000'000;

// Reads "5" or "1-10" into `gaps`. False when it is neither.
bool read_range(const std::string& text, std::set<std::size_t>& gaps) {
    const std::size_t dash = text.find('-');
    std::size_t first = 0, last = 0;
    if (!read_number(text.substr(0, dash), first)) return false;
    last = first;
    if (dash != std::string::npos && !read_number(text.substr(dash + 1), last)) return false;
    if (first < 1 || last < first || last > widest || last - first > 1000) return false;
    for (std::size_t gap = first; gap <= last; ++gap) gaps.insert(gap);
    return true;
}

}  // namespace

CLI::Option* add_gaps_option(CLI::App& command, const std::string& name, std::vector<std::size_t>& gaps,
                             const std::string& help) {
    const auto read = [&command, &gaps, name](const std::vector<std::string>& texts) {
        std::set<std::size_t> found;
        for (const std::string& text : texts)
            if (!read_range(text, found)) reject(command, name, text, "ranks apart, such as 1-10 or 50,100");
        gaps.assign(found.begin(), found.end());
    };
    return command.add_option_function<std::vector<std::string>>(name, read, help)->delimiter(',')->type_name("G-G");
}

}  // namespace wordbreadth::cli
