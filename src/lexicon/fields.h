// The lines of WordNet's files: fields with spaces between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "corpus/line_reader.h"

namespace wordbreadth::lexicon {

// Goes through a file line by line. What is wrong with the file is an InputError with its path and line.
class FieldReader {
  public:
    // Throws when there is no such regular file, it may not be read, or it is larger than limits::wordnet_file_bytes.
    explicit FieldReader(const std::string& path);

    // Goes to the next line; false at the end. Lines that begin with a space, as WordNet's licence does, are passed
    // over. Throws when a line is longer than limits::wordnet_line_bytes or is not UTF-8.
    [[nodiscard]] bool next();

    // Of the line. They stay until next().
    [[nodiscard]] const std::vector<std::string_view>& fields() const { return fields_; }

    // The field at `index` as a number; `what` names it in the message when it is none, or has more than 32 bits.
    [[nodiscard]] std::uint32_t number(std::size_t index, std::string_view what) const;

    [[noreturn]] void fail(std::string_view what) const;

  private:
    base::File file_;
    corpus::LineReader lines_;
    std::vector<std::string_view> fields_;
};

}  // namespace wordbreadth::lexicon
