// Finds out what format a file has, from its first bytes.
#pragma once

#include <string>
#include <string_view>

#include "corpus/format.h"

namespace wordbreadth::corpus {

enum class Content { corpus, nothing, markup, binary };  // markup: HTML, and XML or JSON of another kind than ours

struct Detected {
    Content content = Content::corpus;
    Format format = Format::automatic;  // of a corpus
    std::string reason;                 // when it is none: why, for a message ("is a PDF file; ...")
};

// `start` is the unpacked beginning of the file, `whole` whether it is all of it.
[[nodiscard]] Detected detect_format(std::string_view start, bool whole);

// Opens the file and looks. Throws InputError when it cannot be opened or unpacked.
[[nodiscard]] Detected detect_format_of(const std::string& path);

}  // namespace wordbreadth::corpus
