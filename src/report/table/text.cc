#include "report/table/text.h"

#include <locale.h>

#include <algorithm>
#include <cstdio>
#include <cwchar>

namespace wordbreadth::report {
namespace {

// wcwidth and mbrtowc follow the thread's locale, and a user's may be anything: hold it at UTF-8 for a while.
class Utf8Locale {
  public:
    Utf8Locale() : previous_(utf8() != nullptr ? uselocale(utf8()) : nullptr) {}
    ~Utf8Locale() {
        if (previous_ != nullptr) uselocale(previous_);
    }
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;

  private:
    static locale_t utf8() {
        static const locale_t made = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
        return made;
    }

    locale_t previous_;
};

struct Character {
    std::string_view bytes;
    int width;  // columns; -1: must not reach a terminal
};

// The first character of a text that is not empty. Call under Utf8Locale.
Character first_character(std::string_view text) {
    std::mbstate_t state{};
    wchar_t wide = 0;
    const std::size_t length = std::mbrtowc(&wide, text.data(), text.size(), &state);
    if (length == 0 || length > text.size()) return {text.substr(0, 1), -1};  // a zero byte, or not UTF-8
    return {text.substr(0, length), wcwidth(wide)};
}

std::vector<Character> characters(std::string_view text) {
    const Utf8Locale locale;
    std::vector<Character> found;
    while (!text.empty()) {
        found.push_back(first_character(text));
        text.remove_prefix(found.back().bytes.size());
    }
    return found;
}

std::size_t columns(const Character& character) {
    return character.width < 0 ? 1 : static_cast<std::size_t>(character.width);
}

std::string escaped(std::string_view bytes) {
    if (bytes == "\n") return "\\n";
    if (bytes == "\t") return "\\t";
    if (bytes == "\r") return "\\r";
    std::string text;
    for (const char byte : bytes) {
        char code[5];
        std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        text += code;
    }
    return text;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (const Character& character : characters(text)) width += columns(character);
    return width;
}

std::string printable(std::string_view text) {
    std::string safe;
    for (const Character& character : characters(text))
        safe += character.width < 0 ? escaped(character.bytes) : std::string(character.bytes);
    return safe;
}

std::string clipped(const std::string& text, std::size_t width) {
    if (display_width(text) <= width) return text;
    const std::vector<Character> all = characters(text);
    const std::size_t kept_at_end = (width - 1) / 2;
    const std::size_t kept_at_start = width - 1 - kept_at_end;

    std::string start;
    std::size_t taken = 0;
    for (std::size_t i = 0; taken + columns(all[i]) <= kept_at_start; taken += columns(all[i++])) start += all[i].bytes;
    std::string end;
    taken = 0;
    for (std::size_t i = all.size(); taken + columns(all[i - 1]) <= kept_at_end; taken += columns(all[--i]))
        end.insert(0, all[i - 1].bytes);
    return start + "…" + end;
}

std::string clipped_end(const std::string& text, std::size_t width) {
    if (display_width(text) <= width) return text;
    std::string start;
    std::size_t taken = 0;
    for (const Character& character : characters(text)) {
        taken += columns(character);
        if (taken > width - 1) break;
        start += character.bytes;
    }
    return start + "…";
}

std::string clipped_start(const std::string& text, std::size_t width) {
    if (display_width(text) <= width) return text;
    const std::vector<Character> all = characters(text);
    std::size_t first = all.size();
    for (std::size_t taken = columns(all[first - 1]); taken <= width - 1; taken += columns(all[first - 1])) --first;
    while (first < all.size() && columns(all[first]) == 0) ++first;  // a mark whose letter was cut off
    std::string end = "…";
    for (; first < all.size(); ++first) end += all[first].bytes;
    return end;
}

std::string folded(const std::string& text, std::size_t width) {
    if (width == 0 || display_width(text) <= width) return text;
    std::string lines;
    for (const std::string& line : wrapped(text, width)) lines += (lines.empty() ? "" : "\n") + line;
    return lines;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::string word(text.substr(0, text.find(' ')));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        if (lines.empty() || display_width(lines.back()) + 1 + display_width(word) > width)
            lines.push_back(word);
        else
            lines.back() += " " + word;
    }
    return lines;
}

std::string joined(const std::vector<std::string>& items, const std::string& between) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) text += (i > 0 ? between : "") + items[i];
    return text;
}

}  // namespace wordbreadth::report
