// Files that are not text at all.
#pragma once

#include <string_view>

namespace wordbreadth::corpus {

// What the file is instead of text, for a message: "is a PDF file; ...". Empty when it may be text.
[[nodiscard]] std::string_view sign_of_binary(std::string_view start);

}  // namespace wordbreadth::corpus
