// A table of aligned columns for a terminal.
#pragma once

#include <string>
#include <vector>

#include "report/style.h"

namespace wordbreadth::report {

struct Column {
    enum class Kind {
        name,    // left; shortened when the table is too wide
        number,  // right
        note,    // left, never shortened
    };
    std::string title;
    Kind kind = Kind::number;
};

class Table {
  public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    // One cell a column, already safe to print (see printable()).
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    // The title line and the rows, each ended by a newline.
    [[nodiscard]] std::string text(const Style& style) const;

  private:
    [[nodiscard]] std::vector<std::size_t> widths(std::size_t limit) const;
    [[nodiscard]] std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace wordbreadth::report
