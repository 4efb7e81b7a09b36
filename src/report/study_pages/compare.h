// A comparison of two stores as text, JSON, tab-separated values and a page.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/page/page.h"
#include "report/style.h"
#include "wordbreadth/compare.h"

namespace wordbreadth::report {

// What people call the two stores.
struct StoreNames {
    std::string a, b;
};

// A table of `ends` words that are broader in A and as many that are broader in B, the clearest at the very ends, or of
// all words when there are no more; then how it was made and what was left out.
[[nodiscard]] std::string comparison_table(const Comparison& comparison, const StoreNames& names, std::size_t ends,
                                           const Style& style);

// {"a": ..., "b": ..., "settings": {...}, "results": [...], "left_out": [...]}.
[[nodiscard]] nlohmann::ordered_json json_of(const Comparison& comparison, const StoreNames& names);

[[nodiscard]] std::string tsv_of(const Comparison& comparison);

// The page, but for the settings of the stores and the command that makes it again.
[[nodiscard]] Page page_of(const Comparison& comparison, const StoreNames& names);

}  // namespace wordbreadth::report
