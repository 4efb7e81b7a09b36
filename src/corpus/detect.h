// Finds out what format a file has, from its first bytes.
#pragma once

#include <string>
#include <string_view>

#include "corpus/corpus.h"
#include "corpus/decoder.h"
#include "corpus/source.h"

namespace wordbreadth::corpus {

enum class Content { corpus, nothing, markup, binary };  // markup: HTML, and XML or JSON of another kind than ours

struct Detected {
    Content content = Content::corpus;
    Format format = Format::automatic;  // of a corpus
    std::string reason;                 // when it is none: why, for a message ("is a PDF file; ...")
    std::string encoding = {};          // as the byte order mark says; else the one that was expected
};

// `start` is the beginning of the file, unpacked and in UTF-8, `whole` whether it is all of it.
[[nodiscard]] Detected detect_format(std::string_view start, bool whole);

// Looks at the first bytes. Throws InputError when they cannot be read or unpacked.
[[nodiscard]] Detected detect_format_of(Source& source, const Decoding& decoding = {});

}  // namespace wordbreadth::corpus
