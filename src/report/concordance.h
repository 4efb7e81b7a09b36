// A concordance: usages under each other, aligned on the word.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "report/style.h"
#include "wordbreadth/concordance.h"

namespace wordbreadth::report {

struct ConcordanceLook {
    std::size_t width = 100;  // columns of a line, at least 40
    bool influence = false;   // show it, before each line
    Style style;
};

// One line a usage: what is left of the word, the word, what is right of it, the document where there are several.
// Columns are those of a terminal, where a Chinese character takes 2.
[[nodiscard]] std::string concordance(std::span<const ConcordanceLine> usages, const ConcordanceLook& look);

// What the lines leave out of the documents' names: "all from a.txt", "from documents in corpus/"; "" where they
// leave out nothing.
[[nodiscard]] std::string shared_document(std::span<const ConcordanceLine> usages);

}  // namespace wordbreadth::report
