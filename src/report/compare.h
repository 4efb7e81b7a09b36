// A comparison of two stores as text, JSON, tab-separated values and a page.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/page/page.h"
#include "wordbreadth/compare.h"

namespace wordbreadth::report {

// What people call the two stores.
struct StoreNames {
    std::string a, b;
};

// The words in the order of the comparison, the clearest first.
[[nodiscard]] Table table_of(const Comparison& comparison);

// `ends` words that are broader in A and as many that are broader in B, the clearest at the very ends, or all words
// when there are no more; then how it was made and what was left out.
[[nodiscard]] std::string text_of(const Comparison& comparison, const StoreNames& names, std::size_t ends,
                                  const Style& style);

// {"a": ..., "b": ..., "settings": {...}, "results": [...], "left_out": [...]}.
[[nodiscard]] nlohmann::ordered_json json_of(const Comparison& comparison, const StoreNames& names);

// The page, but for the settings of the stores and the command that makes it again.
[[nodiscard]] Page page_of(const Comparison& comparison, const StoreNames& names);

}  // namespace wordbreadth::report
