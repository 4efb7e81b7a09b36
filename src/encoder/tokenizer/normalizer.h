// What happens to text before it is split into words.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "encoder/tokenizer/characters.h"

struct UNormalizer2;

namespace wordbreadth::encoder::tokenizer {

enum class Decomposition : std::uint8_t { canonical, compatible };

// Unicode's normal forms, keeping track of where every character came from.
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

class Normalizer {
  public:
    Normalizer() = default;
    Normalizer(const Normalizer&) = delete;
    Normalizer& operator=(const Normalizer&) = delete;
    virtual ~Normalizer() = default;

    virtual void apply(Characters& text) const = 0;
};

// The version of Unicode that the normal forms of the library `tokenizers` know.
inline constexpr std::uint8_t library_normal_forms = 9;

struct BertCleaning {
    bool clean_text = true;            // controls go, white space becomes a space
    bool handle_chinese_chars = true;  // spaces around ideographs
    bool strip_accents = true;
    bool lowercase = true;
};

class BertNormalizer : public Normalizer {
  public:
    explicit BertNormalizer(const BertCleaning& cleaning);
    void apply(Characters& text) const override;

  private:
    BertCleaning cleaning_;
    NormalForm decomposed_;
};

// NFC, NFD, NFKC, NFKD.
class NormalFormNormalizer : public Normalizer {
  public:
    explicit NormalFormNormalizer(const NormalForm& form) : form_(form) {}
    void apply(Characters& text) const override { form_.apply(text); }

  private:
    NormalForm form_;
};

class LowercaseNormalizer : public Normalizer {
  public:
    void apply(Characters& text) const override;
};

class NormalizerSequence : public Normalizer {
  public:
    explicit NormalizerSequence(std::vector<std::unique_ptr<Normalizer>> steps) : steps_(std::move(steps)) {}
    void apply(Characters& text) const override;

  private:
    std::vector<std::unique_ptr<Normalizer>> steps_;
};

}  // namespace wordbreadth::encoder::tokenizer
