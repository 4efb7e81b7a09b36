#include "report/tsv_record.h"

#include <algorithm>
#include <cmath>

#include "report/number.h"
#include "report/text.h"

namespace wordbreadth::report {
namespace {

// Bytes of the control character that the text begins with, 0 where it is none: the first 32 characters, DEL, and
// U+0080 to U+009F, which some terminals obey, too.
std::size_t control_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
    return byte(0) == 0xC2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xA0 ? 2 : 0;
}

}  // namespace

std::string field(double value) {
    return std::isnan(value) ? std::string() : shortest(value);
}
std::string field(std::optional<double> value) {
    return value ? field(*value) : std::string();
}
std::string field(bool value) {
    return value ? "true" : "false";
}

std::string field(std::string_view text) {
    std::string escaped;
    while (!text.empty()) {
        const std::size_t control = control_length(text);
        if (control > 0)
            escaped += printable(text.substr(0, control));
        else
            escaped += text.front() == '\\' ? "\\\\" : std::string(1, text.front());
        text.remove_prefix(std::max<std::size_t>(control, 1));
    }
    return escaped;
}

void append(std::string& lines, const Record& record) {
    if (lines.empty()) {
        for (const auto& [title, value] : record) (lines += title) += '\t';
        lines.back() = '\n';
    }
    for (const auto& [title, value] : record) (lines += value) += '\t';
    lines.back() = '\n';
}

}  // namespace wordbreadth::report
