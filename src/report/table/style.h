// How text is shown to people: colour, and the width of the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "report/table/text.h"

namespace wordbreadth::report {

struct Style {
    bool colour = false;
    std::size_t width = 0;  // 0: no limit, as in a file

    [[nodiscard]] std::string bold(const std::string& text) const {
        return colour ? "\x1b[1m" + text + "\x1b[0m" : text;
    }
    [[nodiscard]] std::string dim(const std::string& text) const {
        return colour ? "\x1b[2m" + text + "\x1b[0m" : text;
    }

    // A paragraph folded to the width and ended by a newline; "" for an empty one.
    [[nodiscard]] std::string plain_line(const std::string& text) const {
        return text.empty() ? "" : folded(text, width) + "\n";
    }
    [[nodiscard]] std::string bold_line(const std::string& text) const {
        return text.empty() ? "" : bold(folded(text, width)) + "\n";
    }
    [[nodiscard]] std::string dim_line(const std::string& text) const {
        return text.empty() ? "" : dim(folded(text, width)) + "\n";
    }
};

}  // namespace wordbreadth::report
