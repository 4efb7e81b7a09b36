// A corpus on all threads and in its order: while one block of sentences is read, the one before it is analysed, the
// one before that taken, and the one before that counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/workers.h"
#include "corpus/corpus.h"
#include "encoder/tokenizer/tokenizer.h"
#include "extraction/analyst.h"
#include "extraction/copies.h"
#include "extraction/settings.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

// Sentences that go through the stages together. What they hold is used again by the next ones.
struct Block {
    std::vector<KeptSentence> sentences;
    std::vector<Analysis> analyses;
    std::vector<Fingerprint> fingerprints;  // where copies are looked for
    std::vector<Copy> copies;               // likewise, once the block was taken
    std::size_t size = 0;                   // of all; they may be longer
};

// Of a block what a plan needs, its usable words and their sentences, in a quarter of the memory.
class CompactBlock {
  public:
    struct Word {
        std::uint32_t begin = 0, end = 0;     // in the text, in bytes
        std::uint32_t token = 0, tokens = 0;  // whose vectors make the row
    };
    struct Sentence {
        std::uint64_t number = 0;
        std::uint64_t document = 0;
        std::string_view document_name;
        std::string_view text;
        std::span<const std::int32_t> tokens;  // ids
        std::span<const Word> words;           // in order, at least one
    };

    explicit CompactBlock(const Block& block);

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] Sentence operator[](std::size_t i) const;

    // About, in memory.
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Entry {
        std::uint64_t number = 0;
        std::uint64_t document = 0;
        std::size_t name = 0;                                     // of names_
        std::size_t text_end = 0, tokens_end = 0, words_end = 0;  // the previous one's are where it begins
    };

    void add(const KeptSentence& sentence, const Analysis& analysis);

    std::vector<Entry> entries_;
    std::vector<std::string> names_;  // of documents
    std::string texts_;
    std::vector<std::int32_t> tokens_;
    std::vector<Word> words_;
};

class Pipeline {
  public:
    // Both must outlive it.
    Pipeline(const encoder::tokenizer::Tokenizer& tokenizer, const ExtractOptions& options);

    // Blocks come in order. Each function is called by one thread at a time, whichever that is. `count` is called for
    // each of its parts, and for different ones at the same time, with blocks that were taken.
    struct Stages {
        std::string_view name;                        // of what is done with the blocks, for the recorder of times
        std::function<bool(corpus::Sentence&)> next;  // false at the end
        std::function<void(Block&)> take;
        std::function<void()> look_up;                // by the calling thread, now and then
        Deduplicate deduplicate = Deduplicate::none;  // whether fingerprints are needed
        std::size_t parts = 0;
        std::function<void(const Block&, std::size_t part)> count = {};
    };

    // Throws what a stage throws; InputError, naming the sentence, where one cannot be tokenized; Cancelled on request.
    void run(const Stages& stages);

    // Its threads, for other work between runs.
    [[nodiscard]] base::Workers& workers() { return workers_; }

  private:
    void read(const Stages& stages, Block& block) const;
    void analyse(const Stages& stages, Block& block, std::size_t piece, Analyst& analyst) const;
    void analyse(const KeptSentence& sentence, Analysis& analysis, Analyst& analyst) const;

    const ExtractOptions& options_;
    corpus::Selection selection_;
    base::Workers workers_;
    std::vector<Analyst> analysts_;  // one per thread
};

}  // namespace wordbreadth::extraction
