// How far the text output may go: colour, and how many columns there are.
#pragma once

#include <cstddef>
#include <string>

namespace wordbreadth::report {

struct Style {
    bool colour = false;
    std::size_t width = 0;  // 0: no limit, as in a file

    [[nodiscard]] std::string bold(const std::string& text) const;
    [[nodiscard]] std::string dim(const std::string& text) const;
};

}  // namespace wordbreadth::report
