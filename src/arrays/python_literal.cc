#include "arrays/python_literal.h"

#include <charconv>

#include "base/failure.h"

namespace wordbreadth::arrays {

void PythonLiteral::fail_expecting(const std::string& what) const {
    const std::string found = rest_.empty() ? "its end" : base::in_quotes(rest_.substr(0, 20));
    base::fail(where_, "malformed .npy header: found " + found + " where " + what + " was expected");
}

void PythonLiteral::skip_space() {
    const auto first = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
}

bool PythonLiteral::take_word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
}

bool PythonLiteral::take(char token) {
    skip_space();
    return take_word({&token, 1});
}

bool PythonLiteral::at_end() {
    skip_space();
    return rest_.empty();
}

void PythonLiteral::expect(char token) {
    if (!take(token)) fail_expecting({'\'', token, '\''});
}

std::string PythonLiteral::string() {
    skip_space();
    if (!rest_.starts_with('\'') && !rest_.starts_with('"')) fail_expecting("a string");
    const auto end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) fail_expecting("a closed string");
    std::string text(rest_.substr(1, end - 1));
    if (text.find('\\') != std::string::npos) fail_expecting("a string without escapes");
    rest_.remove_prefix(end + 1);
    return text;
}

bool PythonLiteral::boolean() {
    skip_space();
    if (take_word("True")) return true;
    if (take_word("False")) return false;
    fail_expecting("True or False");
}

std::uint64_t PythonLiteral::whole_number() {
    skip_space();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc{}) fail_expecting("a whole number of at most 64 bits");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    take_word("L");  // Python 2 wrote long numbers so, and numpy still reads them
    return number;
}

Shape PythonLiteral::tuple() {
    Shape shape;
    expect('(');
    while (!take(')')) {
        shape.push_back(whole_number());
        // "(3)" is a number in Python, not a tuple.
        if (shape.size() == 1) {
            expect(',');
        } else if (!take(',')) {
            expect(')');
            break;
        }
    }
    return shape;
}

}  // namespace wordbreadth::arrays
