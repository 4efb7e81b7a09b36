// What happens to text before it is split into words.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "encoder/tokenizer/characters.h"
#include "encoder/tokenizer/normal_form.h"

namespace wordbreadth::encoder::tokenizer {

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
