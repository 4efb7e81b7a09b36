// Files that are not text at all.
#pragma once

#include <cstddef>
#include <string_view>

namespace wordbreadth::corpus {

// What the file is instead of text in units of so many bytes, for a message: "is a PDF file; ...". Empty when it may be
// text. `nul_is_fine`: a few units may be NUL, as damaged text has them.
[[nodiscard]] std::string_view sign_of_binary(std::string_view start, std::size_t unit_bytes = 1,
                                              bool nul_is_fine = false);

}  // namespace wordbreadth::corpus
