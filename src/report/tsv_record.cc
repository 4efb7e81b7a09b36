#include "report/tsv_record.h"

#include <cmath>

#include "report/number.h"

namespace wordbreadth::report {

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
    for (const char c : text) switch (c) {
            case '\t':
                escaped += "\\t";
                break;
            case '\n':
                escaped += "\\n";
                break;
            case '\r':
                escaped += "\\r";
                break;
            case '\\':
                escaped += "\\\\";
                break;
            default:
                escaped += c;
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
