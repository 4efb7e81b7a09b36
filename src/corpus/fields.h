// Tab-separated lines.
#pragma once

#include <string_view>
#include <vector>

namespace wordbreadth::corpus {

// Puts the fields of `line` into `fields`, in place of what was there.
inline void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    for (;;) {
        const std::size_t tab = line.find('\t');
        fields.push_back(line.substr(0, tab));
        if (tab == std::string_view::npos) return;
        line.remove_prefix(tab + 1);
    }
}

}  // namespace wordbreadth::corpus
