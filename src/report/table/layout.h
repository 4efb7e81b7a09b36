// Aligned columns for a terminal: what a table's text is laid out with.
#pragma once

#include <string>
#include <vector>

#include "report/table/text.h"

namespace wordbreadth::report {

struct TextColumn {
    enum class Kind {
        name,    // left; shortened when the table is too wide
        number,  // right
        note,    // left, never shortened; broken over lines when the table is too wide
    };
    std::string title;
    Kind kind = Kind::number;
};

// Laid out for the terminal: where the table is too wide, titles and notes take several lines, then names are
// shortened; what still does not fit goes into a further block below, behind the same first columns.
class TextTable {
  public:
    explicit TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

    // One cell per column, already safe to print (see printable()).
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    // The title lines and the rows, each ended by a newline.
    [[nodiscard]] std::string text(const Style& style) const;

    // Whether it does not fit a terminal of that many columns as it is (0: any width will do).
    [[nodiscard]] bool is_wider_than(std::size_t limit) const;

  private:
    using Widths = std::vector<std::size_t>;  // of the columns
    using Places = std::vector<std::size_t>;  // of columns, ascending

    [[nodiscard]] Widths natural_widths() const;
    [[nodiscard]] Widths widths(std::size_t limit) const;
    [[nodiscard]] std::size_t least_width(std::size_t column) const;
    [[nodiscard]] std::size_t keys() const;
    [[nodiscard]] std::vector<Places> blocks(const Widths& widths, std::size_t limit) const;
    [[nodiscard]] std::vector<Places> filled_blocks(const Places& first, const Widths& widths, std::size_t limit) const;
    [[nodiscard]] std::string block_text(const Places& block, const Widths& widths, const Style& style) const;

    std::vector<TextColumn> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace wordbreadth::report
