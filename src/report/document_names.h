// The names of documents beside each other: what they share is said once, and what tells them apart is always seen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wordbreadth::report {

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
