// Usages as the concordance of a page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/page/page.h"
#include "wordbreadth/concordance.h"

namespace wordbreadth::report {

// A source is the name of its document without the folders; `corpus`, where there is one, stands before it.
[[nodiscard]] std::vector<PageLine> lines_of(std::span<const ConcordanceLine> usages, const std::string& corpus = "");

}  // namespace wordbreadth::report
