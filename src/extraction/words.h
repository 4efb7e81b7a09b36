// Finds the words of running text: those of Unicode (UAX 29, by ICU; for Chinese, Japanese, Thai and so on by its
// dictionaries), less numbers and punctuation.
#pragma once

#include <unicode/brkiter.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::extraction {

// Half-open, in bytes.
struct TextRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

// Punctuation and numbers have none, and are not words.
[[nodiscard]] bool has_letter(std::string_view text);

class WordFinder {
  public:
    WordFinder();

    // In order. Stays until the next call.
    [[nodiscard]] const std::vector<TextRange>& find(std::string_view text);

  private:
    std::unique_ptr<icu::BreakIterator> iterator_;
    std::vector<TextRange> words_;
};

// Appends `text` in lower case, by Unicode's rules that hold for all languages.
void append_lowercase(std::string& to, std::string_view text);
[[nodiscard]] std::string lowercase(std::string_view text);

}  // namespace wordbreadth::extraction
