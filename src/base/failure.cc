#include "base/failure.h"

#include "wordbreadth/error.h"

namespace wordbreadth::base {

namespace {

constexpr std::size_t longest_quote = 80;

bool continues_a_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

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

void fail(std::string_view where, std::string_view what) {
    throw InputError(std::string(where).append(": ").append(what));
}

void fail_at(const std::string& path, std::uint64_t line, std::string_view what) {
    fail(path + ":" + std::to_string(line), what);
}

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

}  // namespace wordbreadth::base
