#include "report/style.h"

namespace wordbreadth::report {

std::string Style::bold(const std::string& text) const {
    return colour ? "\x1b[1m" + text + "\x1b[0m" : text;
}
std::string Style::dim(const std::string& text) const {
    return colour ? "\x1b[2m" + text + "\x1b[0m" : text;
}

}  // namespace wordbreadth::report
