// Occurrences of a word: as a concordance for people, on pages, and for programs.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "report/page/page.h"
#include "wordbreadth/concordance.h"

namespace wordbreadth::report {

struct ConcordanceLook {
    std::size_t width = 100;  // columns of a line, at least 40
    bool influence = false;   // show it, before each line
    Style style;
};

// One line per occurrence: what is left of the word, the word, what is right of it, the document where there are
// several. Columns are those of a terminal, where a Chinese character takes 2.
[[nodiscard]] std::string concordance(std::span<const ConcordanceLine> usages, const ConcordanceLook& look);

// What the lines leave out of the documents' names: "all from a.txt", "from documents in corpus/"; "" where they
// leave out nothing.
[[nodiscard]] std::string shared_document(std::span<const ConcordanceLine> usages);

// The lines of a page. A source is the name of its document without the folders; `corpus`, where there is one, stands
// before it.
[[nodiscard]] std::vector<PageLine> lines_of(std::span<const ConcordanceLine> usages, const std::string& corpus = "");

[[nodiscard]] Table table_of(std::span<const ConcordanceLine> usages);

// {"word": ..., "frequency": ..., "rows": ..., "results": [...]}, the occurrences in the order given.
[[nodiscard]] nlohmann::ordered_json json_of(const StoredWord& word, std::span<const ConcordanceLine> usages);

// The names of documents beside each other: what they share is said once, and what tells them apart is always seen.
struct DocumentNames {
    std::string folder;              // that all of them are in, with its slash; the names go without it
    std::string only;                // where all are the same: that one, and there are no names
    std::vector<std::string> names;  // as given, but for the folder
};

// Of documents as a store calls them: mostly paths.
[[nodiscard]] DocumentNames document_names(const std::vector<std::string>& documents);

// Names of at most `width` columns (at least 8). Where they are longer, what all begin with is cut first, then what all
// end with, and only then something that tells them apart.
[[nodiscard]] std::vector<std::string> shortened(std::vector<std::string> names, std::size_t width);

}  // namespace wordbreadth::report
