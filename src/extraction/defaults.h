// Options that depend on each other, settled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

[[nodiscard]] inline std::uint64_t min_count_of(const ExtractOptions& options) {
    return options.min_count.value_or(options.unit == ExtractUnit::word ? 100 : 2);
}

[[nodiscard]] inline std::uint64_t per_word_of(const ExtractOptions& options) {
    return options.per_word.value_or(options.unit == ExtractUnit::word ? 100 : 0);
}

[[nodiscard]] inline unsigned threads_of(const ExtractOptions& options) {
    Execution execution;
    execution.threads = options.threads;
    return thread_count(execution);
}

// The words that were asked for, in the case that is counted, each once, in byte order.
[[nodiscard]] std::vector<std::string> wanted_words(const ExtractOptions& options);

}  // namespace wordbreadth::extraction
