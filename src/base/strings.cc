#include "base/strings.h"

#include <algorithm>
#include <span>

#include "base/utf8.h"

namespace wordbreadth::base {

namespace {

constexpr std::size_t longest_quote = 80;

void append_escaped(std::string& to, char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
        to += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7F) {
        to += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
        to += c;
    }
}

}  // namespace

std::string in_quotes(std::string_view text) {
    std::size_t end = text.size();
    if (end > longest_quote) {
        end = longest_quote;
        while (end > 0 && continues_a_character(text[end])) --end;
    }
    std::string out = "\"";
    for (const char c : text.substr(0, end)) append_escaped(out, c);
    return out.append(end < text.size() ? "...\"" : "\"");
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
    const std::size_t shown = std::min(names.size(), most);
    const std::string text = joined(std::span(names).first(shown), ", ", in_quotes);
    return shown == names.size() ? text : text + " and " + std::to_string(names.size() - shown) + " more";
}

std::string count_of(std::size_t number, std::string_view thing) {
    return std::to_string(number).append(" ").append(thing).append(number == 1 ? "" : "s");
}

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return is_ascii(c); });
}

std::string ascii_lower(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(text, lower.begin(), [](char c) { return ascii_lower(c); });
    return lower;
}

}  // namespace wordbreadth::base
