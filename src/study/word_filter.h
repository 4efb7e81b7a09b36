// Which words of a store a ranking is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "store/cloud_store.h"

namespace wordbreadth {

struct WordFilter {
    std::vector<std::string> words = {};  // only these; empty: all
    std::uint64_t min_frequency = 0;
    std::uint64_t max_frequency = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::string> stop_words = {};  // none of these, whatever their case
};

// How many words a part of the filter took away; each counts for the first part that does.
struct FilteredOut {
    std::string reason;  // "not asked for", "rarer than 50", "more frequent than 900", "stop words"
    std::size_t words = 0;
};

struct FilteredWords {
    std::vector<std::size_t> kept;       // places in the store's words, ascending
    std::vector<FilteredOut> out;        // parts that took away none are not in it
    std::vector<std::string> not_there;  // asked for, but not in the store; as listed
};

// Throws InputError when no word is left.
[[nodiscard]] FilteredWords filtered_words(const store::CloudStore& store, const WordFilter& filter);

// "610 not asked for, 132 stop words".
[[nodiscard]] std::string text_of(const std::vector<FilteredOut>& out);

}  // namespace wordbreadth
