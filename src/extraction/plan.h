// Makes the plan of a store: everything laid out before the first vector.
//
// A pass over the corpus counts words and keeps, of each, a uniform sample of its occurrences. A second one fetches the
// sentences of the sample, from memory unless they were too many for it. Every occurrence has a priority, a pure
// function of the seed and its place: the number of its file, that of its sentence in the file, where it begins. The
// sample is those with the smallest. So it does not depend on the order of looking, files can be looked at apart from
// each other, and a larger sample holds the smaller one of the same seed. Where a sample is spread over documents,
// the first round takes of each document the occurrence with the smallest priority, the second the next, and so on; in
// the last round, where not all are needed, every document has the same chance.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/strings.h"
#include "corpus/corpus.h"
#include "extraction/analyst.h"
#include "extraction/model.h"
#include "extraction/pipeline.h"
#include "extraction/settings.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

struct Sampled {
    std::uint64_t priority = 0;
    std::uint64_t sentence = 0;
    std::uint32_t begin = 0;  // in its text, in bytes
    std::uint32_t round = 0;  // of taking one from each document

    friend bool operator==(const Sampled&, const Sampled&) = default;
    friend bool operator<(const Sampled& a, const Sampled& b) {
        return std::tie(a.round, a.priority, a.sentence, a.begin) < std::tie(b.round, b.priority, b.sentence, b.begin);
    }
};

// Uniform over 64 bits, and independent between places. `sentence` is its number in the file.
[[nodiscard]] std::uint64_t priority_of(std::uint64_t seed, std::uint64_t file, std::uint64_t sentence,
                                        std::uint32_t begin);

struct SamplerOptions {
    std::uint64_t seed = 0;
    std::size_t per_word = 100;    // 0: all
    std::size_t per_document = 0;  // 0: no limit
    SampleBy by = SampleBy::rows;
    std::uint64_t fewest = 0;  // words with fewer occurrences that are usable or would be but for copies are forgotten
};

class Sampler {
  public:
    struct Word {
        std::uint64_t frequency = 0;
        std::uint64_t usable = 0;
        std::uint64_t exact_copies = 0, near_copies = 0;
        std::vector<Sampled> sample;  // a heap, the largest priority first, until finish()

        std::uint64_t document = 0;
        std::vector<Sampled> of_document;  // likewise, where documents matter

        std::uint32_t id = 0;  // 0, 1, ... in the order in which the sampler met them
    };

    explicit Sampler(const SamplerOptions& options) : options_(options) {}
    Sampler(Sampler&&) = default;  // a copy would look into the original's words
    Sampler& operator=(Sampler&&) = default;

    // Only these words, when there are any.
    void restrict_to(const std::vector<std::string>& words);

    // Documents come one after the other. Null where there are only certain words, and this is none of them.
    const Word* add(std::string_view type, Use use, std::uint64_t document, std::uint64_t sentence, std::uint32_t begin,
                    const corpus::Place& file = {});

    // Once all were added. Words that are too few are counted and forgotten, unless the sampler is restricted.
    void finish();

    // The same for a word that is kept elsewhere.
    void add(Word& word, Use use, std::uint64_t document, std::uint64_t sentence, std::uint32_t begin,
             const corpus::Place& file) const;
    void finish(Word& word) const { close_document(word); }

    // What was found in a part of the corpus, and in another, with the smallest priorities of both.
    void join(Word& word, const Word& other) const;

    // A word that was finished elsewhere, once: it is counted here, and kept unless it is forgotten.
    void take(const std::string& type, Word word);
    void count(std::uint64_t occurrences) { occurrences_ += occurrences; }

    // Samplers of the same options, one for the words of each part (see part_of); and together again, once finished.
    [[nodiscard]] std::vector<Sampler> in_parts() const;
    void join(std::span<Sampler> parts);

    using Words = base::TextMap<Word>;
    [[nodiscard]] const Words& words() const { return words_; }
    [[nodiscard]] Words take_words();  // leaves none
    [[nodiscard]] std::uint64_t occurrences() const { return occurrences_; }

    // Of all words, those that were forgotten included; once finished.
    [[nodiscard]] std::uint64_t types() const { return types_; }
    [[nodiscard]] std::uint64_t most_usable() const { return most_usable_; }

  private:
    [[nodiscard]] Word* find(std::string_view type);
    [[nodiscard]] bool is_forgotten(const Word& word) const;
    void take(std::vector<Sampled>& heap, std::size_t size, const Sampled& sampled) const;
    void close_document(Word& word) const;

    SamplerOptions options_;
    bool restricted_ = false;
    std::uint64_t occurrences_ = 0, types_ = 0, most_usable_ = 0;
    Words words_;
    std::vector<Words::value_type*> recent_;  // where a hash of the word says, most of any text: of words_
};

class PartWriter;

struct Scan {
    std::vector<corpus::Place> places;              // where the files begin that have sentences
    std::array<std::uint64_t, uses> occurrences{};  // by their Use
    std::uint64_t tokens = 0;                       // that the corpus has marked, punctuation too
    std::uint64_t exact_copies = 0;                 // sentences that repeat an earlier one
    std::uint64_t near_copies = 0;
    std::uint64_t not_remembered = 0;                    // see Copies
    std::optional<std::vector<CompactBlock>> sentences;  // with usable words, in order; none: too many to be kept
};

// What the first pass counts: words, those of a list and parts of speech where they are asked for.
struct Counters {
    // `fewest`: see SamplerOptions. Throws InputError when the list cannot be read.
    Counters(const ExtractOptions& options, std::uint64_t fewest);

    std::vector<std::string> list;  // of words; empty: all
    Sampler sampler;
    WantedWords wanted;
    TagCounts tags;
};

// The first pass: reads the corpus to its end. Memory grows with the number of different words, with the text up to a
// limit, and where copies are looked for with the number of different sentences, up to another (see Copies).
// A part of a plan is written where it is not null, and no sentences are kept. Throws as Pipeline::run.
[[nodiscard]] Scan scan_corpus(corpus::Reader& reader, Pipeline& pipeline, Counters& counters,
                               const ExtractOptions& options, std::size_t kept_bytes,
                               const std::function<void(const Scan&)>& look_up, PartWriter* part = nullptr);

// A corpus whose usable sentences take no more is read once, about 15 million words of it; a larger one twice.
inline constexpr std::size_t most_kept_bytes = 512 * 1024 * 1024;

// Writes the plan into options.out. The model is opened meanwhile. Throws InputError when the corpus is bad, no word is
// frequent enough, or none has a part of speech that was asked for. Words of a list that are not frequent enough are
// written down as missing.
void make_plan(corpus::Reader& reader, OpeningModel& model, const ExtractOptions& options, ExtractSummary& summary,
               std::size_t kept_bytes = most_kept_bytes);

// Of a word: occurrences that it needs.
[[nodiscard]] Requirement requirement_of(const ExtractOptions& options);

void report_reading(const corpus::Reader& reader, const Scan& scan, const ExtractOptions& options);

// What the first pass over a corpus has found, at once or in parts.
struct Counted {
    Settings settings;  // of the plan
    std::size_t shard_tokens = 0;
    std::size_t model_layers = 0;  // that the model has, where several are asked for; else 0
    std::vector<corpus::File> files;
    std::vector<corpus::Skipped> skipped;
    corpus::InvalidText invalid;
    std::uint64_t sentences = 0, documents = 0;
    Scan scan;
    Sampler sampler;
    WantedWords wanted;
    TagCounts tags;
};

// Gives the sentences of a sample, in order: asks for the number of the next until there is none, and adds it.
struct SentenceRequests {
    std::function<std::optional<std::uint64_t>()> next;
    std::function<void(const CompactBlock::Sentence&)> add;
};

// Writes the plan of what was counted in parts, whose sentences `fetch` gives. Throws as make_plan() does.
void write_merged_plan(Counted& counted, const ExtractOptions& options, ExtractSummary& summary,
                       const std::function<void(const SentenceRequests&)>& fetch);

}  // namespace wordbreadth::extraction
