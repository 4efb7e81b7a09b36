// Strings: quoted and listed for messages, joined, read as numbers, keys of maps; and ASCII.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <vector>

namespace wordbreadth::base {

// Text out of a file, fit for a one-line message: in double quotes, control characters escaped, cut when long.
[[nodiscard]] std::string in_quotes(std::string_view text);

// "a", "b" and 3 more: the first `most` names, quoted.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::size_t most);

// "1 field", "2 fields".
[[nodiscard]] std::string count_of(std::size_t number, std::string_view thing);

// All parts in order with `between` between them. `text` makes a string of a part: a function, or a member of it.
template <class Parts, class Text = std::identity>
[[nodiscard]] std::string joined(const Parts& parts, std::string_view between = ", ", Text text = {}) {
    std::string all;
    bool first = true;
    for (const auto& part : parts) {
        if (!first) all += between;
        first = false;
        all += std::invoke(text, part);
    }
    return all;
}

// The whole text as a number; nothing when it is not one, or does not fit the type.
template <std::integral Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

[[nodiscard]] constexpr bool is_ascii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}

[[nodiscard]] bool is_ascii(std::string_view text);

// Of A to Z; every other byte stays.
[[nodiscard]] constexpr char ascii_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] std::string ascii_lower(std::string_view text);

// A hash map from text that is looked up without making a string of it.
struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

}  // namespace wordbreadth::base
