// The files below a folder.
#pragma once

#include <filesystem>
#include <vector>

#include "corpus/corpus.h"

namespace wordbreadth::corpus {

// All regular files below `folder`, sorted name by name and byte by byte, so that the order is the same on every
// machine. Hidden files and folders, links to folders and what is no file at all are put into `skipped`. Throws
// InputError when a folder cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                                             std::vector<Skipped>& skipped);

}  // namespace wordbreadth::corpus
