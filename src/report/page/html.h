// Text on its way into HTML and SVG. Words and contexts come from other people's files and may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace wordbreadth::report {

// The text as content or as a quoted attribute of HTML and XML: & < > " ' become references; bytes that are not UTF-8
// and characters that XML has no place for (control characters, noncharacters) become U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);

// ' name="value"', the value escaped, a tab as a reference; nothing where there is no value.
[[nodiscard]] std::string attribute(std::string_view name, std::string_view value);

// A piece of HTML. Made from text it is that text, escaped: nothing but the functions below adds markup.
class Markup {
  public:
    Markup() = default;
    Markup(std::string_view text) : html_(escaped(text)) {}  // implicit: a string is a fine paragraph
    Markup(const std::string& text) : Markup(std::string_view(text)) {}
    Markup(const char* text) : Markup(std::string_view(text)) {}

    // `html` is taken as it is: never give it text from outside.
    [[nodiscard]] static Markup trusted(std::string html);

    [[nodiscard]] const std::string& html() const { return html_; }
    [[nodiscard]] bool empty() const { return html_.empty(); }
    Markup& operator+=(const Markup& more);

  private:
    std::string html_;
};

[[nodiscard]] Markup operator+(Markup first, const Markup& second);

[[nodiscard]] Markup word(std::string_view text);  // a word that is spoken about, in italics, whatever its script
[[nodiscard]] Markup code(std::string_view text);  // an option, a file, a command
[[nodiscard]] Markup link(std::string_view path, std::string_view text);  // to another page, by its path from this one

}  // namespace wordbreadth::report
