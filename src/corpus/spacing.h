// Where spaces belong between pieces of text that came without them.
#pragma once

#include <string_view>

namespace wordbreadth::corpus {

// Whether a space belongs between the end of one line and the start of the next: not in Japanese and Chinese, and not
// after the hyphen of a divided word.
[[nodiscard]] bool lines_want_space(std::string_view before, std::string_view after);

// Whether a space belongs between two words of a corpus that does not say so: not before a comma, nor after an opening
// bracket.
[[nodiscard]] bool words_want_space(std::string_view before, std::string_view after);

// Columns that the text takes on a terminal: two for a Chinese, Japanese or Korean character.
[[nodiscard]] std::size_t columns_of(std::string_view text);

}  // namespace wordbreadth::corpus
