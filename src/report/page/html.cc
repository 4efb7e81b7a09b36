#include "report/page/html.h"

#include <cstdint>
#include <utility>

#include "base/utf8.h"

namespace wordbreadth::report {
namespace {

// DEL and the C1 controls are allowed by XML, but HTML reads them as something else.
bool is_allowed(std::int32_t c) {
    if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
    if ((c >= 0x7F && c < 0xA0) || (c >= 0xFDD0 && c <= 0xFDEF)) return false;
    return (c & 0xFFFE) != 0xFFFE;
}

std::string_view reference_to(std::int32_t c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return is_allowed(c) ? "" : "\xEF\xBF\xBD";
    }
}

Markup within(const char* start, std::string_view text, const char* end) {
    return Markup::trusted(start + escaped(text) + end);
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string html;
    html.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        const std::string_view reference = reference_to(base::next_character(text, at));
        html += reference.empty() ? text.substr(start, at - start) : reference;
    }
    return html;
}

Markup Markup::trusted(std::string html) {
    Markup markup;
    markup.html_ = std::move(html);
    return markup;
}

Markup& Markup::operator+=(const Markup& more) {
    html_ += more.html_;
    return *this;
}

Markup operator+(Markup first, const Markup& second) {
    first += second;
    return first;
}

Markup word(std::string_view text) {
    return within("<i class=\"word\" dir=\"auto\">", text, "</i>");
}
Markup strong(std::string_view text) {
    return within("<strong>", text, "</strong>");
}
Markup code(std::string_view text) {
    return within("<code dir=\"auto\">", text, "</code>");
}

}  // namespace wordbreadth::report
