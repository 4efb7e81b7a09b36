#include "cli/suggestion.h"

#include <algorithm>

#include "base/names.h"

namespace wordbreadth::cli {
namespace {

// Two letters, not counting the dashes of an option.
bool is_telling(const std::string& text) {
    const std::size_t dashes = std::min(text.find_first_not_of('-'), text.size());
    return text.size() >= dashes + 2;
}

}  // namespace

std::string suggestion(const std::string& text, const std::vector<std::string>& known) {
    if (!is_telling(text)) return {};
    std::vector<std::string> meant;
    std::ranges::copy_if(known, std::back_inserter(meant),
                         [&](const std::string& name) { return name.starts_with(text); });
    if (meant.empty()) meant = base::close_names(text, known);
    std::string list;
    for (std::size_t i = 0; i < meant.size(); ++i)
        list += (i == 0 ? " (did you mean " : i + 1 == meant.size() ? " or " : ", ") + meant[i];
    return list.empty() ? list : list + "?)";
}

}  // namespace wordbreadth::cli
