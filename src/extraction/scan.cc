#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "base/workers.h"
#include "extraction/copies.h"
#include "extraction/mixed.h"
#include "extraction/plan.h"
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
    std::vector<Fingerprint> fingerprints;
    std::size_t size = 0;

    void read(corpus::Reader& reader, const corpus::Selection& selection, TagCounts* tags,
              std::vector<corpus::Place>& places) {
        size = 0;
        std::size_t bytes = 0;
        corpus::Sentence sentence;
        while (size < block_sentences && bytes < block_bytes && reader.next(sentence)) {
            if (places.empty() || places.back().file != reader.place().file) places.push_back(reader.place());
            if (sentences.size() == size) sentences.emplace_back();
            sentences[size++].assign(sentence, selection);
            if (tags != nullptr) tags->add(sentence);
            bytes += sentence.text.size();
        }
        if (analyses.size() < size) {
            analyses.resize(size);
            fingerprints.resize(size);
        }
    }

    [[nodiscard]] std::size_t pieces() const { return (size + piece_sentences - 1) / piece_sentences; }

    void analyse(std::size_t piece, Analyst& analyst, const char* unit, Deduplicate deduplicate) {
        const std::size_t end = std::min(size, (piece + 1) * piece_sentences);
        for (std::size_t i = piece * piece_sentences; i < end; ++i) {
            analyse_one(i, analyst, unit);
            if (deduplicate != Deduplicate::none)
                take_fingerprint(sentences[i], analyses[i], analyst.words_of(sentences[i], analyses[i]), deduplicate,
                                 fingerprints[i]);
        }
    }

    void analyse_one(std::size_t i, Analyst& analyst, const char* unit) {
        try {
            analyst.analyse(sentences[i], analyses[i]);
        } catch (const InputError& error) {
            throw InputError(std::string(unit) + " " + std::to_string(sentences[i].number) +
                             " of the corpus: " + error.what());
        }
    }

    // In a copy no word is usable.
    void count(Sampler& sampler, WantedWords* wanted, Copies* copies, Scan& scan) const {
        for (std::size_t i = 0; i < size; ++i) {
            const Copy copy = copies == nullptr ? Copy::none : copies->add(fingerprints[i]);
            for (const FoundWord& word : analyses[i].words) {
                Use use = word.use;
                if (use == Use::usable && copy != Copy::none)
                    use = copy == Copy::exact ? Use::exact_copy : Use::near_copy;
                ++scan.occurrences[static_cast<std::size_t>(use)];
                if (wanted != nullptr) wanted->add(analyses[i].type_of(word), use);
                sampler.add(analyses[i].type_of(word), use, sentences[i].document, sentences[i].number, word.begin);
            }
        }
    }
};

class Pipeline {
  public:
    Pipeline(corpus::Reader& reader, const encoder::tokenizer::Tokenizer& tokenizer, Sampler& sampler,
             WantedWords* wanted, TagCounts* tags, const ExtractOptions& options)
        : reader_(reader),
          sampler_(sampler),
          wanted_(wanted),
          tags_(tags),
          options_(options),
          selection_(selection_of(options)),
          deduplicate_(deduplicate_of(options)),
          copies_(deduplicate_),
          workers_(base::thread_count(options.threads)) {
        for (std::size_t i = 0; i < workers_.size(); ++i) analysts_.emplace_back(tokenizer, analyst_options(options));
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
        scan_.exact_copies = copies_.exact();
        scan_.near_copies = copies_.near();
        scan_.not_remembered = copies_.not_remembered();
        return std::move(scan_);
    }

  private:
    void work(std::size_t piece, std::size_t worker) {
        if (piece == 0) {
            read_.read(reader_, selection_, tags_, scan_.places);
        } else if (piece == 1) {
            counted_.count(sampler_, wanted_, deduplicate_ == Deduplicate::none ? nullptr : &copies_, scan_);
        } else {
            const bool texts = options_.unit == ExtractUnit::text;
            analysed_.analyse(piece - 2, analysts_[worker], texts ? "text" : "sentence", deduplicate_);
        }
    }

    void report() const {
        if (!options_.progress) return;
        const corpus::Progress progress = reader_.progress();
        const double total = std::max<double>(1, static_cast<double>(progress.total));
        options_.progress(
            {ExtractProgress::Stage::reading, static_cast<double>(progress.bytes) / total, sampler_.occurrences()});
    }

    corpus::Reader& reader_;
    Sampler& sampler_;
    WantedWords* wanted_;
    TagCounts* tags_;
    const ExtractOptions& options_;
    corpus::Selection selection_;
    Deduplicate deduplicate_;
    Copies copies_;
    base::Workers workers_;
    std::vector<Analyst> analysts_;  // one per thread
    Block read_, analysed_, counted_;
    Scan scan_;
};

// The smallest priority of a document is smaller the longer it is: hashed anew, every document has the same chance.
void number_rounds(std::vector<Sampled>& of_document) {
    std::ranges::sort(of_document, std::less<>());
    for (std::size_t i = 0; i < of_document.size(); ++i) {
        of_document[i].round = static_cast<std::uint32_t>(i);
        of_document[i].priority = mixed(of_document[i].priority);
    }
}

}  // namespace

std::uint64_t priority_of(std::uint64_t seed, std::uint64_t sentence, std::uint32_t begin) {
    return mixed(mixed(mixed(seed) ^ sentence) ^ begin);
}

void Sampler::restrict_to(const std::vector<std::string>& words) {
    restricted_ = true;
    for (const std::string& word : words) words_.try_emplace(word);
}

void Sampler::add(std::string_view type, Use use, std::uint64_t document, std::uint64_t sentence, std::uint32_t begin) {
    ++occurrences_;
    auto found = words_.find(type);
    if (found == words_.end()) {
        if (restricted_) return;
        found = words_.try_emplace(std::string(type)).first;
    }
    Word& word = found->second;
    ++word.frequency;
    if (use == Use::exact_copy) ++word.exact_copies;
    if (use == Use::near_copy) ++word.near_copies;
    if (use != Use::usable) return;
    const Sampled sampled{priority_of(options_.seed, sentence, begin), sentence, begin};
    if (options_.per_document == 0) ++word.usable;
    const std::size_t most = options_.per_document > 0 ? options_.per_document : options_.per_word;
    if (options_.per_document == 0 && options_.by == SampleBy::rows) return take(word.sample, most, sampled);
    if (document != word.document) close_document(word);
    word.document = document;
    take(word.of_document, most, sampled);
}

// Keeps the `size` smallest; all when it is 0.
void Sampler::take(std::vector<Sampled>& heap, std::size_t size, const Sampled& sampled) const {
    if (size == 0 || heap.size() < size) {
        heap.push_back(sampled);
        if (heap.size() == size) std::make_heap(heap.begin(), heap.end());
        return;
    }
    if (!(sampled < heap.front())) return;
    std::pop_heap(heap.begin(), heap.end());
    heap.back() = sampled;
    std::push_heap(heap.begin(), heap.end());
}

void Sampler::close_document(Word& word) const {
    if (options_.per_document > 0) word.usable += word.of_document.size();
    if (options_.by == SampleBy::documents) number_rounds(word.of_document);
    for (const Sampled& sampled : word.of_document) take(word.sample, options_.per_word, sampled);
    word.of_document.clear();
}

void Sampler::finish() {
    for (auto& [type, word] : words_) close_document(word);
}

Scan scan_corpus(corpus::Reader& reader, const encoder::tokenizer::Tokenizer& tokenizer, Sampler& sampler,
                 WantedWords* wanted, TagCounts* tags, const ExtractOptions& options) {
    Scan scan = Pipeline(reader, tokenizer, sampler, wanted, tags, options).run();
    sampler.finish();
    return scan;
}

}  // namespace wordbreadth::extraction
