// A store of many small words, for tests of studies.
#pragma once

#include <string>
#include <vector>

#include "support/small_store.h"

namespace wordbreadth {

// w000, w001, ... from broad to narrow, each with `rows` rows of 12 dimensions in a direction of its own. A smaller
// `spread` makes all of them narrower. Every `per_document` rows are a document; 0: all of them are one.
inline void write_many_words(const std::string& folder, std::size_t words, std::size_t rows, double spread = 1.5,
                             std::size_t per_document = 0) {
    std::vector<store::PlannedWord> planned;
    for (std::size_t i = 0; i < words; ++i) {
        std::string number = std::to_string(i);
        number.insert(0, 3 - number.size(), '0');
        planned.push_back(
            {"w" + number, 1000 - i, rows, spread * (1 - 0.66 * static_cast<double>(i) / static_cast<double>(words))});
    }
    store::write_store(folder, planned, 12, per_document);
}

}  // namespace wordbreadth
