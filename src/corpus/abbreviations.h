// When a full stop, or what looks like a sentence, does not end one.
#pragma once

#include <string_view>

namespace wordbreadth::corpus {

// Whether a sentence ends between `before`, which ends with a full stop and perhaps white space, and `after`.
// Knows titles, initials and abbreviations, of English first, and some that other languages of Europe use.
[[nodiscard]] bool full_stop_ends_sentence(std::string_view before, std::string_view after);

// "1.", "• 12.", "(a)", "IV.": what numbers an item of a list and belongs to it.
[[nodiscard]] bool is_enumerator(std::string_view text);

}  // namespace wordbreadth::corpus
