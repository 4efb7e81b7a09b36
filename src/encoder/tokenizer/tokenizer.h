// From text to the token ids that a language model reads, and where in the text each token stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::encoder::tokenizer {

// Half-open.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    friend bool operator==(const Span&, const Span&) = default;
};

inline constexpr std::int32_t no_word = -1;

// The tokens of a text: four lists of the same length, one entry per token. Special tokens ([CLS], [SEP]) have empty
// spans at 0 and no word.
struct Encoding {
    std::vector<std::int32_t> ids;
    std::vector<Span> bytes;          // in the text that was given; of pre-split input, in the token's word
    std::vector<Span> characters;     // the same place in Unicode characters, as Python counts them
    std::vector<std::int32_t> words;  // of pre-split input, the index of the word; else of the piece between splits
    bool truncated = false;           // there were more tokens than fit

    [[nodiscard]] std::size_t size() const { return ids.size(); }
};

struct EncodeOptions {
    std::size_t max_tokens = std::numeric_limits<std::size_t>::max();  // special tokens are counted
    bool special_tokens = true;
};

struct AddedToken;

// Built by load_tokenizer(). Immutable: any number of threads may use one at the same time.
class Tokenizer {
  public:
    struct Parts;  // see parts.h

    // Adds both kinds of added tokens to the other parts. Throws InputError, naming `where`, as AddedTokens does.
    Tokenizer(const std::string& where, const std::vector<AddedToken>& added, Parts parts);

    // Throws InputError when the text is not UTF-8, naming the byte; when it is longer than limits::text_bytes; and
    // when the special tokens alone are more than max_tokens.
    [[nodiscard]] Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;

    // Each word is a text of its own, so that no token spans two; truncation counts the tokens of all, and words
    // after it are ignored. The message of an InputError begins with the number of the word.
    [[nodiscard]] Encoding encode(std::span<const std::string_view> words, const EncodeOptions& options = {}) const;

    // The same tokens; but its words are those that MeCab finds with that dictionary. Throws InputError when there is
    // no such dictionary.
    [[nodiscard]] Tokenizer with_words_of_mecab(const std::string& dictionary) const;

    // Does it find the words of a language that is written without spaces (MeCab)? Else its words are what suits the
    // model, and none to people.
    [[nodiscard]] bool finds_words() const;

    // All ids are below it.
    [[nodiscard]] std::int32_t vocabulary_end() const;

    // How the vocabulary spells a token ("##ing", "Ġthe"); "" when none has the id.
    [[nodiscard]] std::string_view spelling(std::int32_t id) const;
    [[nodiscard]] std::optional<std::int32_t> id_of(std::string_view spelling) const;

  private:
    friend class BufferedTokenizer;
    std::shared_ptr<const Parts> parts_;
    std::shared_ptr<const Parts> finder_;  // of words; null: those above
};

class EncodingRun;

// A tokenizer for one thread and many texts: its buffers stay from text to text.
class BufferedTokenizer {
  public:
    // `tokenizer` must outlive it.
    explicit BufferedTokenizer(const Tokenizer& tokenizer);
    BufferedTokenizer(BufferedTokenizer&&) noexcept;
    ~BufferedTokenizer();

    // As the tokenizer's own. The tokens stay until the next call.
    [[nodiscard]] const Encoding& encode(std::string_view text, const EncodeOptions& options = {});
    [[nodiscard]] const Encoding& encode(std::span<const std::string_view> words, const EncodeOptions& options = {});

    // Where in the text its words are, in bytes and in order: what it makes tokens of, or what MeCab finds. No two
    // overlap: where one character of the text became several words, they are one. They stay until the next call.
    // Throws InputError as encode() does.
    [[nodiscard]] const std::vector<Span>& words(std::string_view text);

  private:
    std::unique_ptr<EncodingRun> run_;
    std::unique_ptr<EncodingRun> finder_;  // null: the former
};

// Reads tokenizer.json, or vocab.txt and tokenizer_config.json where there is none (and for models that tokenize with
// MeCab, which need a dictionary). With the folder of a MeCab dictionary its words are MeCab's, whatever the model.
// Throws InputError when the folder has neither, when a file is malformed or past its limits (limits.h), when the files
// contradict each other, or when the tokenizer has a component that is not supported, which is named.
[[nodiscard]] Tokenizer load_tokenizer(const std::string& folder, const std::string& mecab_dictionary = {});

}  // namespace wordbreadth::encoder::tokenizer
