#include "report/names.h"

#include <algorithm>

#include "base/names.h"

namespace wordbreadth::report {
namespace {

std::string method_text(const Method& method, const std::string& between) {
    return std::string(name_of(method.align)) + between + std::string(name_of(method.statistic));
}

}  // namespace

std::string suggestion(const std::string& text, const std::vector<std::string>& known) {
    const std::size_t dashes = std::min(text.find_first_not_of('-'), text.size());
    if (text.size() < dashes + 2) return {};  // a letter tells nothing
    std::vector<std::string> meant;
    std::ranges::copy_if(known, std::back_inserter(meant),
                         [&](const std::string& name) { return name.starts_with(text); });
    if (meant.empty()) meant = base::close_names(text, known);
    std::string list;
    for (std::size_t i = 0; i < meant.size(); ++i)
        list += (i == 0 ? " (did you mean " : i + 1 == meant.size() ? " or " : ", ") + meant[i];
    return list.empty() ? list : list + "?)";
}

std::string name_of(const Method& method) {
    return method_text(method, ", ");
}

std::string key_of(const Method& method) {
    return method_text(method, "_");
}

}  // namespace wordbreadth::report
