#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "extraction/copies.h"
#include "extraction/mixed.h"
#include "extraction/plan.h"
#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

namespace {

// What the first pass finds, block by block.
class Counting {
  public:
    Counting(Sampler& sampler, WantedWords* wanted, Deduplicate deduplicate, std::size_t kept_bytes, Scan& scan)
        : sampler_(sampler),
          wanted_(wanted),
          deduplicate_(deduplicate),
          copies_(deduplicate),
          scan_(scan),
          room_(kept_bytes) {
        scan_.sentences.emplace();
    }

    void take(Block& block) {
        for (std::size_t i = 0; i < block.size; ++i) {
            const Copy copy = deduplicate_ == Deduplicate::none ? Copy::none : copies_.add(block.fingerprints[i]);
            count(block.sentences[i], block.analyses[i], copy);
        }
        if (scan_.sentences) keep(CompactBlock(block));
    }

    void finish() {
        sampler_.finish();
        scan_.exact_copies = copies_.exact();
        scan_.near_copies = copies_.near();
        scan_.not_remembered = copies_.not_remembered();
    }

  private:
    // In a copy no word is usable.
    void count(const KeptSentence& sentence, Analysis& analysis, Copy copy) {
        for (FoundWord& word : analysis.words) {
            if (word.use == Use::usable && copy != Copy::none)
                word.use = copy == Copy::exact ? Use::exact_copy : Use::near_copy;
            ++scan_.occurrences[static_cast<std::size_t>(word.use)];
            const std::string_view type = analysis.type_of(word);
            if (wanted_ != nullptr) wanted_->add(type, word.use);
            sampler_.add(type, word.use, sentence.document, sentence.number, word.begin);
        }
    }

    void keep(CompactBlock block) {
        if (block.bytes() > room_) return scan_.sentences.reset();
        room_ -= block.bytes();
        scan_.sentences->push_back(std::move(block));
    }

    Sampler& sampler_;
    WantedWords* wanted_;
    Deduplicate deduplicate_;
    Copies copies_;
    Scan& scan_;
    std::size_t room_;  // for sentences, in bytes
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

Scan scan_corpus(corpus::Reader& reader, Pipeline& pipeline, Sampler& sampler, WantedWords* wanted, TagCounts* tags,
                 Deduplicate deduplicate, std::size_t kept_bytes, const std::function<void()>& look_up) {
    Scan scan;
    Counting counting(sampler, wanted, deduplicate, kept_bytes, scan);
    const auto next = [&](corpus::Sentence& sentence) {
        if (!reader.next(sentence)) return false;
        if (scan.places.empty() || scan.places.back().file != reader.place().file)
            scan.places.push_back(reader.place());
        if (tags != nullptr) tags->add(sentence);
        return true;
    };
    pipeline.run({next, [&](Block& block) { counting.take(block); }, look_up, deduplicate});
    counting.finish();
    return scan;
}

}  // namespace wordbreadth::extraction
