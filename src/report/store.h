// What is in a store, as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/table/table.h"
#include "wordbreadth/store.h"

namespace wordbreadth::report {

[[nodiscard]] std::string text_of(const StoreDescription& store, const Style& style);

[[nodiscard]] nlohmann::ordered_json json_of(const StoreDescription& store);

// Words that were asked for and are not there; occurrences that were skipped, and why. As a store and an extraction
// have them.
template <class Word>
[[nodiscard]] Table missing_table(const std::vector<Word>& words) {
    return table_of<Word>("missing", "", words,
                          {{"word", "missing", look::name, &Word::word},
                           {"frequency", "frequency", look::count, &Word::frequency},
                           {"usable", "usable", look::count, &Word::usable},
                           {"reason", "why", look::name, &Word::reason}});
}

template <class Skipped>
[[nodiscard]] Table skipped_table(const std::vector<Skipped>& skipped) {
    return table_of<Skipped>(
        "skipped", "", skipped,
        {{"count", "skipped", look::count, &Skipped::count}, {"reason", "why", look::name, &Skipped::reason}});
}

}  // namespace wordbreadth::report
