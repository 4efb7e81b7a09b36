// Unicode's normal forms, keeping track of where every character came from.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "encoder/tokenizer/characters.h"

struct UNormalizer2;

namespace wordbreadth::encoder::tokenizer {

enum class Decomposition : std::uint8_t { canonical, compatible };

class NormalForm {
  public:
    // NFD or NFKD; NFC or NFKC when `composed`. Characters that Unicode does not have in version `newest`.0 are
    // left as they are. Throws std::runtime_error when ICU cannot find its own data.
    NormalForm(Decomposition decomposition, bool composed, std::uint8_t newest);

    // Origins are as in the Python library `tokenizers`: a character that came apart gives its origin to all its
    // parts, one that was composed has that of its first part, and where marks change places their origins stay.
    void apply(Characters& text) const;

  private:
    // A character of the result, and what it replaces: 1 - `added` characters of what was there before.
    struct Part {
        char32_t value = 0;
        std::int32_t added = 0;
        std::uint8_t combining_class = 0;
    };
    using Parts = std::vector<Part>;
    using Utf16 = std::array<char16_t, 32>;  // the longest decomposition, that of U+FDFA, has 18

    [[nodiscard]] bool changes_nothing(const Characters& text) const;
    [[nodiscard]] bool is_known(char32_t c) const;
    [[nodiscard]] std::uint8_t combining_class(char32_t c) const;
    [[nodiscard]] Parts decomposed(const Characters& text) const;
    // How many units it comes apart into, or -1 when it stays whole.
    std::int32_t decompose(char32_t c, Utf16& into) const;
    void append_decomposition(Parts& parts, char32_t c) const;
    [[nodiscard]] Parts recomposed(const Parts& parts) const;
    [[nodiscard]] char32_t composite(char32_t first, char32_t second) const;

    const UNormalizer2* decompositions_;  // ICU's, which lives as long as the program
    const UNormalizer2* compositions_;
    bool composed_;
    std::uint8_t newest_;
    char32_t first_decomposing_;  // no smaller character comes apart
    char32_t first_affected_;     // no text of smaller characters changes
};

}  // namespace wordbreadth::encoder::tokenizer
