#include "extraction/scan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/workers.h"
#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

namespace {

// A block is cut into pieces, so that threads which finish early find more to do.
constexpr std::size_t block_sentences = 4096;
constexpr std::size_t block_bytes = 4 * 1024 * 1024;
constexpr std::size_t piece_sentences = 128;

// Sentences that go through the stages together. What they hold is used again by the next ones.
struct Block {
    std::vector<KeptSentence> sentences;
    std::vector<Analysis> analyses;
    std::size_t size = 0;

    void read(corpus::Reader& reader, const ScanOptions& options, std::vector<corpus::Place>& places) {
        size = 0;
        std::size_t bytes = 0;
        corpus::Sentence sentence;
        while (size < block_sentences && bytes < block_bytes && reader.next(sentence)) {
            if (places.empty() || places.back().file != reader.place().file) places.push_back(reader.place());
            if (sentences.size() == size) sentences.emplace_back();
            sentences[size++].assign(sentence, options.selection);
            if (options.tags != nullptr) options.tags->add(sentence);
            bytes += sentence.text.size();
        }
        if (analyses.size() < size) analyses.resize(size);
    }

    [[nodiscard]] std::size_t pieces() const { return (size + piece_sentences - 1) / piece_sentences; }

    void analyse(std::size_t piece, Analyst& analyst, const char* unit) {
        const std::size_t end = std::min(size, (piece + 1) * piece_sentences);
        for (std::size_t i = piece * piece_sentences; i < end; ++i) analyse_one(i, analyst, unit);
    }

    void analyse_one(std::size_t i, Analyst& analyst, const char* unit) {
        try {
            analyst.analyse(sentences[i], analyses[i]);
        } catch (const InputError& error) {
            throw InputError(std::string(unit) + " " + std::to_string(sentences[i].number) +
                             " of the corpus: " + error.what());
        }
    }

    void count(Sampler& sampler, WantedWords* wanted, Scan& scan) const {
        for (std::size_t i = 0; i < size; ++i) {
            for (const FoundWord& word : analyses[i].words) {
                ++scan.occurrences[static_cast<std::size_t>(word.use)];
                if (wanted != nullptr) wanted->add(analyses[i].type_of(word), word.use);
                sampler.add(analyses[i].type_of(word), word.use == Use::usable, sentences[i].document,
                            sentences[i].number, word.begin);
            }
        }
    }
};

class Pipeline {
  public:
    Pipeline(corpus::Reader& reader, const tokenizer::Tokenizer& tokenizer, Sampler& sampler,
             const ScanOptions& options)
        : reader_(reader), sampler_(sampler), options_(options), workers_(options.threads) {
        for (std::size_t i = 0; i < workers_.size(); ++i) analysts_.emplace_back(tokenizer, options.analyst);
    }

    // Three blocks are under way at a time: one is read, one analysed by all threads that are free, one counted. So
    // reading and counting, which have to go in order, delay nothing.
    Scan run() {
        bool more = true;
        while (more) {
            if (options_.stop.stop_requested()) throw Cancelled();
            workers_.run(2 + analysed_.pieces(), [&](std::size_t piece, std::size_t worker) { work(piece, worker); });
            more = read_.size > 0 || analysed_.size > 0;
            std::swap(counted_, analysed_);
            std::swap(analysed_, read_);
            report();
        }
        return std::move(scan_);
    }

  private:
    void work(std::size_t piece, std::size_t worker) {
        if (piece == 0) {
            read_.read(reader_, options_, scan_.places);
        } else if (piece == 1) {
            counted_.count(sampler_, options_.wanted, scan_);
        } else {
            const bool texts = options_.analyst.unit == ExtractUnit::text;
            analysed_.analyse(piece - 2, analysts_[worker], texts ? "text" : "sentence");
        }
    }

    void report() const {
        if (!options_.progress) return;
        const corpus::Progress progress = reader_.progress();
        const double total = std::max<double>(1, static_cast<double>(progress.total));
        options_.progress(static_cast<double>(progress.bytes) / total, sampler_.occurrences());
    }

    corpus::Reader& reader_;
    Sampler& sampler_;
    const ScanOptions& options_;
    base::Workers workers_;
    std::vector<Analyst> analysts_;  // one per thread
    Block read_, analysed_, counted_;
    Scan scan_;
};

}  // namespace

Scan scan_corpus(corpus::Reader& reader, const tokenizer::Tokenizer& tokenizer, Sampler& sampler,
                 const ScanOptions& options) {
    Scan scan = Pipeline(reader, tokenizer, sampler, options).run();
    sampler.finish();
    return scan;
}

}  // namespace wordbreadth::extraction
