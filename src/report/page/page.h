// A report: one HTML file that needs nothing else. Fill a Page, then html_of().
// All text is escaped on its way out; whatever a corpus holds may stand in any of these.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/output_file.h"
#include "report/figures/figures.h"
#include "report/page/html.h"
#include "report/table/table.h"
#include "wordbreadth/provenance.h"

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

// Readers sort it by any column and, beyond a dozen rows, search it; thousands of rows are fine.
struct DataTable {
    Table table{};          // its name is that of the file that readers download; empty: the section's heading
    std::size_t shown = 0;  // rows before readers ask for more; 0: a hundred
};

// A copy of the table, since a page may outlive the result that it shows.
[[nodiscard]] DataTable data_table(const Table& table, std::size_t shown = 0);

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
    double influence = NAN;  // by which share the word's breadth falls without this occurrence; NaN: not known
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
    Provenance provenance{};          // the same for programs; without a command, none
};

[[nodiscard]] std::string html_of(const Page& page);

// A file that holds a result. Opened before the work, so that a bad name costs nothing; it appears under its name once
// it is written.
class ResultFile {
  public:
    // Throws InputError when the file cannot be created.
    explicit ResultFile(const std::string& path) : file_(path) {}

    // Once. Throws InputError when the system refuses (a full disk).
    void write(std::string_view content);
    void write_npy(std::span<const double> values);

  private:
    base::OutputFile file_;
};

// The parts of a page.
[[nodiscard]] std::string html_of(const Paragraph& paragraph);
[[nodiscard]] std::string html_of(const Finding& finding);
[[nodiscard]] std::string html_of(const Facts& facts);
[[nodiscard]] std::string html_of(const Figure& figure);
[[nodiscard]] std::string html_of(const DataTable& data);
[[nodiscard]] std::string html_of(const ConcordanceView& view);

// The concordances as a JSON text that may stand inside a <script>: [[key, {"title": ..., "lines": [[left, node, right,
// source, influence], ...]}], ...].
[[nodiscard]] std::string script_json(const std::vector<Concordance>& concordances);

}  // namespace wordbreadth::report
