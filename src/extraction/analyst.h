// Looks at a sentence as the model will: which words it has, and which tokens are theirs.
#pragma once

#include <unicode/brkiter.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "encoder/tokenizer/tokenizer.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

// Half-open, in bytes.
struct TextRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

// Punctuation and numbers have none, and are not words.
[[nodiscard]] bool has_letter(std::string_view text);

// Words by Unicode's rules (UAX 29), as ICU has them.
class WordFinder {
  public:
    WordFinder();

    // In order. Stays until the next call.
    [[nodiscard]] const std::vector<TextRange>& find(std::string_view text);

  private:
    void add_plain(std::string_view text, TextRange place);
    void add_by_icu(std::string_view text, TextRange place);

    std::unique_ptr<icu::BreakIterator> iterator_;
    std::vector<TextRange> words_;
};

// Appends `text` in lower case, by Unicode's rules that hold for all languages.
void append_lowercase(std::string& to, std::string_view text);
[[nodiscard]] std::string lowercase(std::string_view text);

// A sentence that outlives the reader's next one, with what the corpus itself says of its words.
struct KeptSentence {
    // text[begin, end), in bytes, and what it counts as: nothing when it is not asked for.
    struct Word {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::string type;
    };

    std::uint64_t number = 0;
    std::uint64_t document = 0;
    corpus::Place file;
    std::string document_name;
    std::string text;
    std::vector<Word> words;    // that the corpus has marked
    bool words_are_all = true;  // of the text: else nothing else in it is asked for (dwug)
    std::string label;          // of a text that is taken whole

    // Takes what is needed of `sentence`.
    void assign(const corpus::Sentence& sentence, const corpus::Selection& selection);
};

// Whether an occurrence can become a row, or why not.
enum class Use : std::uint8_t {
    usable,
    truncated,
    several_tokens,
    unknown,
    shared_token,
    no_token,
    exact_copy,  // usable, but for a sentence that repeats an earlier one; likewise the next
    near_copy
};
inline constexpr std::size_t uses = 8;

// Whether it would be usable if copies were.
[[nodiscard]] constexpr bool is_usable_but_for_copies(Use use) {
    return use == Use::usable || use == Use::exact_copy || use == Use::near_copy;
}

// For people: why it cannot.
struct Reason {
    std::string_view whole;  // following "the word"
    std::string_view brief;
};
[[nodiscard]] Reason reason_of(Use use);

struct FoundWord {
    std::uint32_t begin = 0, end = 0;            // in the text, in bytes
    std::uint32_t type_begin = 0, type_end = 0;  // what it counts as, in Analysis::types
    std::uint32_t token = 0, tokens = 0;         // whose vectors make the row
    Use use = Use::usable;
    std::uint8_t part = 0;  // of its type: see part_of
};

// Words are counted in parts, which threads can do at the same time; all occurrences of a type are in one.
inline constexpr std::size_t counted_parts = 8;
[[nodiscard]] std::uint8_t part_of(std::string_view type);

struct Analysis {
    std::vector<std::int32_t> ids;  // of all tokens
    std::vector<FoundWord> words;
    std::string types;

    [[nodiscard]] std::string_view type_of(const FoundWord& word) const {
        return std::string_view(types).substr(word.type_begin, word.type_end - word.type_begin);
    }
};

struct AnalystOptions {
    ExtractUnit unit = ExtractUnit::word;
    LetterCase letter_case = LetterCase::lower;
    Subwords subwords = Subwords::single;
    std::size_t max_tokens = 128;
};

// One per thread. `tokenizer` must outlive it.
class Analyst {
  public:
    Analyst(const encoder::tokenizer::Tokenizer& tokenizer, const AnalystOptions& options);

    // Throws InputError when the text cannot be tokenized.
    void analyse(const KeptSentence& sentence, Analysis& analysis);

    // All words of a sentence that was analysed, asked for or not, in order. Stays until the next call.
    [[nodiscard]] const std::vector<TextRange>& words_of(const KeptSentence& sentence, const Analysis& analysis);

  private:
    // Tokens [begin, end) of an encoding, and whether they are just those of the word.
    struct Tokens {
        std::uint32_t begin = 0, end = 0;
        Use use = Use::usable;
    };

    [[nodiscard]] const std::vector<TextRange>& find_words(std::string_view text);
    [[nodiscard]] bool is_blank(std::uint32_t token) const;
    void take_text(const KeptSentence& sentence, Analysis& analysis);
    void take_marked_words(const KeptSentence& sentence, Analysis& analysis);
    void take_words(const KeptSentence& sentence, Analysis& analysis);
    void cut_into_segments(const KeptSentence& sentence);
    void add_word(Analysis& analysis, TextRange place, std::string_view type, Tokens tokens) const;
    [[nodiscard]] Tokens tokens_at(std::string_view text, TextRange place, std::uint32_t& first) const;
    [[nodiscard]] Tokens tokens_of_segment(std::int32_t segment, std::uint32_t& first) const;

    encoder::tokenizer::BufferedTokenizer tokenizer_;
    AnalystOptions options_;
    std::int32_t unknown_ = -1;
    std::array<std::int32_t, 2> blanks_{};  // tokens of a space and nothing else
    bool tokenizer_finds_words_ = false;
    WordFinder finder_;
    std::vector<TextRange> found_;                            // by the tokenizer
    const encoder::tokenizer::Encoding* encoding_ = nullptr;  // of the sentence
    std::vector<std::string_view> segments_;
    std::vector<std::int32_t> segment_of_word_;
    std::vector<TextRange> words_;
};

}  // namespace wordbreadth::extraction
