// A report: one HTML file that needs nothing else. Fill a Page, then html_of() or write_page().
// All text is escaped on its way out; whatever a corpus holds may stand in any of these.
#pragma once

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "report/figures/figure.h"
#include "report/html.h"
#include "report/svg.h"

namespace wordbreadth::report {

// A few figures that sum up what follows, in large type.
struct Facts {
    struct Fact {
        std::string value{};
        std::string label{};
    };
    std::vector<Fact> facts{};
};

struct Paragraph {
    Markup text{};
};

// What a reader should take home; set apart.
struct Finding {
    Markup text{};
};

struct Figure {
    Svg svg{};
    Markup caption{};
    std::string name{};  // of the files that readers download; empty: the section's heading
    bool half = false;   // half as wide as the page where there is room, beside another such
};

struct Cell {
    std::string text{};
    double value = NAN;            // what a number column sorts by; NaN (a missing value) goes last in either direction
    Evidence evidence{};           // what a click on the cell shows below its row
    double low = NAN, high = NAN;  // the interval of the value, for downloads
};

struct TableColumn {
    enum class Kind {
        text,     // left, sorted as text
        number,   // right, sorted by Cell::value
        subject,  // text that says what the row is about: searches look there first, and points find their row by it
    };
    std::string title{};
    Kind kind = Kind::number;
    std::string help{};  // what the numbers are, shown at the title
    std::string key{};   // what the column is called in downloads; empty: the title
};

// Readers sort it by any column and, beyond a dozen rows, search it; thousands of rows are fine.
struct DataTable {
    Markup caption{};
    std::vector<TableColumn> columns{};
    std::vector<std::vector<Cell>> rows{};  // one cell a column; as first shown
    std::string name{};                     // of the file that readers download; empty: the section's heading
    std::size_t shown = 0;                  // rows before readers ask for more; 0: a hundred
};

// A concordance of the page, by its key.
struct ConcordanceView {
    std::string key{};
    Markup caption{};
    std::size_t shown = 0;  // lines before readers ask for more; 0: twenty
};

using Block = std::variant<Paragraph, Finding, Facts, Figure, DataTable, ConcordanceView>;

struct Section {
    std::string heading{};
    std::vector<Block> blocks{};
};

struct PageLine {
    std::string left{}, node{}, right{};  // in reading order, whatever the script
    std::string source{};                 // where it comes from; empty: not known
    double influence = NAN;               // by which share the word's breadth falls without this usage; NaN: not known
};

struct Concordance {
    std::string key{};  // what Evidence refers to: the word, or anything else that is used once
    std::string title{};
    std::vector<PageLine> lines{};
};

struct Setting {
    std::string name{};
    std::string value{};
};

struct Page {
    std::string title{};
    Markup subtitle{};
    std::vector<Section> sections{};
    std::vector<Concordance> concordances{};
    std::vector<Setting> settings{};  // at the foot: options, seed, versions, files
    std::string command{};            // what makes this report again
    std::string language = "en";      // of our own text
};

[[nodiscard]] std::string html_of(const Page& page);

// Writes the report under `path` once it is complete, in place of any file that has the name. Throws InputError, and
// leaves that file as it was, when the place cannot be written to.
void write_page(const Page& page, const std::string& path);

}  // namespace wordbreadth::report
