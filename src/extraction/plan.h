// Makes the plan of a store: two passes over the corpus, and everything laid out before the first vector.
//
// The first pass counts words and keeps, of each, a uniform sample of its occurrences. Every occurrence has a priority,
// a pure function of the seed and its place; the sample is those with the smallest. So it does not depend on the order
// of looking, and a larger sample holds the smaller one of the same seed. What was asked for and is not in the corpus,
// words of a list and parts of speech, is counted in the same pass.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/strings.h"
#include "corpus/corpus.h"
#include "extraction/analyst.h"
#include "extraction/model.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {

// What a pass over the corpus finds of the words that were asked for.
class WantedWords {
  public:
    // `cases_differ`: whether Bank and bank are two words; then other spellings of the wanted ones are counted too.
    WantedWords(std::span<const std::string> words, bool cases_differ);

    void add(std::string_view type, Use use);

    using Uses = std::array<std::uint64_t, uses>;
    [[nodiscard]] const Uses& uses_of(std::string_view word) const;

    // The most frequent spelling of `word` that was not asked for and differs from it in case only; or nothing.
    [[nodiscard]] std::string other_case_of(std::string_view word) const;

  private:
    bool cases_differ_;
    base::TextMap<Uses> words_;
    base::TextMap<base::TextMap<std::uint64_t>> spellings_;  // of each wanted word in lower case: other spellings met
};

struct Requirement {
    std::uint64_t usable = 0;        // occurrences that a word needs
    std::uint64_t per_document = 0;  // at most that many of them from one document; 0: any number
};

// Why `word` has fewer usable occurrences than needed.
[[nodiscard]] std::string reason_for(const WantedWords& wanted, std::string_view word, std::uint64_t usable,
                                     const Requirement& needed);

// How many of the missing words have enough occurrences once those of several tokens count (Subwords::mean).
[[nodiscard]] std::uint64_t kept_by_mean(const WantedWords& wanted, std::span<const MissingWord> missing,
                                         const Requirement& needed);

// Throws InputError: no word (or label) of the list is left.
[[noreturn]] void fail_all_missing(std::span<const MissingWord> missing, std::uint64_t kept_by_mean, ExtractUnit unit);

// The parts of speech that a corpus has.
class TagCounts {
  public:
    // Of all words that the corpus has marked in the sentence.
    void add(const corpus::Sentence& sentence);

    // Those of the wanted ones that no word has: see corpus::is_part_of_speech.
    [[nodiscard]] std::vector<std::string> unknown(std::span<const std::string> wanted) const;

    // That no word has these, and which the corpus has, the most frequent first.
    [[nodiscard]] std::string message(const std::vector<std::string>& unknown) const;

  private:
    void add(std::string_view tag);
    [[nodiscard]] std::vector<std::string> most_frequent_first() const;

    base::TextMap<std::uint64_t> counts_;
};

struct Sampled {
    std::uint64_t priority = 0;
    std::uint64_t sentence = 0;
    std::uint32_t begin = 0;  // in its text, in bytes

    friend bool operator==(const Sampled&, const Sampled&) = default;
    friend bool operator<(const Sampled& a, const Sampled& b) {
        return std::tie(a.priority, a.sentence, a.begin) < std::tie(b.priority, b.sentence, b.begin);
    }
};

// Uniform over 64 bits, and independent between places.
[[nodiscard]] std::uint64_t priority_of(std::uint64_t seed, std::uint64_t sentence, std::uint32_t begin);

struct SamplerOptions {
    std::uint64_t seed = 0;
    std::size_t per_word = 100;    // 0: all
    std::size_t per_document = 0;  // 0: no limit
};

class Sampler {
  public:
    struct Word {
        std::uint64_t frequency = 0;
        std::uint64_t usable = 0;
        std::vector<Sampled> sample;  // a heap, the largest priority first, until finish()

        std::uint64_t document = 0;
        std::vector<Sampled> of_document;  // likewise, with a limit per document
    };

    explicit Sampler(const SamplerOptions& options) : options_(options) {}

    // Only these words, when there are any.
    void restrict_to(const std::vector<std::string>& words);

    // Documents come one after the other.
    void add(std::string_view type, bool usable, std::uint64_t document, std::uint64_t sentence, std::uint32_t begin);

    // Once all were added.
    void finish();

    using Words = base::TextMap<Word>;
    [[nodiscard]] Words& words() { return words_; }
    [[nodiscard]] const Words& words() const { return words_; }
    [[nodiscard]] std::uint64_t occurrences() const { return occurrences_; }

  private:
    void take(std::vector<Sampled>& heap, std::size_t size, const Sampled& sampled) const;
    void close_document(Word& word) const;

    SamplerOptions options_;
    bool restricted_ = false;
    std::uint64_t occurrences_ = 0;
    Words words_;
};

struct Scan {
    std::vector<corpus::Place> places;              // where the files begin that have sentences
    std::array<std::uint64_t, uses> occurrences{};  // by their Use
};

// The first pass: reads the corpus to its end. Memory grows with the number of different words, not with the corpus.
// Words of a list and parts of speech are counted as they are met, where they are not null. Throws InputError when the
// corpus is bad, naming the sentence where it cannot be tokenized.
[[nodiscard]] Scan scan_corpus(corpus::Reader& reader, const encoder::tokenizer::Tokenizer& tokenizer, Sampler& sampler,
                               WantedWords* wanted, TagCounts* tags, const ExtractOptions& options);

// Writes the plan into options.out. Throws InputError when the corpus is bad, no word is frequent enough, or none has a
// part of speech that was asked for. Words of a list that are not frequent enough are written down as missing.
void make_plan(corpus::Reader& reader, const Model& model, const ExtractOptions& options, ExtractSummary& summary);

}  // namespace wordbreadth::extraction
