// Which files a corpus is made of.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "corpus/corpus.h"

namespace wordbreadth::corpus {

struct FileList {
    std::vector<File> files;  // in the order of reading
    std::vector<Skipped> skipped;
};

// See open_corpus().
[[nodiscard]] FileList find_files(std::span<const std::string> paths, const Options& options);

}  // namespace wordbreadth::corpus
