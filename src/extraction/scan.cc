#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "extraction/copies.h"
#include "extraction/mixed.h"
#include "extraction/plan.h"
#include "extraction/plan_part.h"
#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

namespace {

// What the first pass finds, block by block.
class Counting {
  public:
    static constexpr std::size_t parts = counted_parts + 1;  // the last keeps the sentences

    Counting(std::span<Sampler> samplers, WantedWords* wanted, Deduplicate deduplicate, std::size_t kept_bytes,
             Scan& scan, PartWriter* part)
        : samplers_(samplers),
          wanted_(wanted),
          deduplicate_(deduplicate),
          copies_(deduplicate),
          scan_(scan),
          part_(part),
          room_(kept_bytes) {
        if (part == nullptr) scan_.sentences.emplace();
    }

    // In a copy no word is usable.
    void take(Block& block) {
        for (std::size_t i = 0; i < block.size; ++i) {
            const Copy copy = deduplicate_ == Deduplicate::none ? Copy::none : copies_.add(block.fingerprints[i]);
            if (deduplicate_ != Deduplicate::none) block.copies[i] = copy;
            for (FoundWord& word : block.analyses[i].words) {
                if (word.use == Use::usable) word.use = use_in(copy);
                ++scan_.occurrences[static_cast<std::size_t>(word.use)];
                if (wanted_ != nullptr) wanted_->add(block.analyses[i].type_of(word), word.use);
            }
        }
    }

    void count(const Block& block, std::size_t part) {
        if (part == counted_parts) return keep(block);
        for (std::size_t i = 0; i < block.size; ++i) {
            const KeptSentence& sentence = block.sentences[i];
            const Analysis& analysis = block.analyses[i];
            for (const FoundWord& word : analysis.words) {
                if (word.part != part) continue;
                const Sampler::Word* const counted = samplers_[part].add(
                    analysis.type_of(word), word.use, sentence.document, sentence.number, word.begin, sentence.file);
                if (part_ != nullptr && counted != nullptr && is_usable_but_for_copies(word.use))
                    part_->add_use(part, sentence, counted->id, word.begin);
            }
        }
    }

    void finish() {
        scan_.exact_copies = copies_.exact();
        scan_.near_copies = copies_.near();
        scan_.not_remembered = copies_.not_remembered();
    }

  private:
    void keep(const Block& block) {
        if (part_ != nullptr) part_->keep(block);
        if (!scan_.sentences) return;
        CompactBlock compact(block);
        if (compact.bytes() > room_) return scan_.sentences.reset();
        room_ -= compact.bytes();
        scan_.sentences->push_back(std::move(compact));
    }

    std::span<Sampler> samplers_;  // of the parts
    WantedWords* wanted_;
    Deduplicate deduplicate_;
    Copies copies_;
    Scan& scan_;
    PartWriter* part_;
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

// Of the first file as it was before files mattered: samples of corpora of one file stayed the same.
std::uint64_t priority_of(std::uint64_t seed, std::uint64_t file, std::uint64_t sentence, std::uint32_t begin) {
    const std::uint64_t of_file = file == 0 ? 0 : mixed(file);
    return mixed(mixed(mixed(seed) ^ of_file ^ sentence) ^ begin);
}

void Sampler::restrict_to(const std::vector<std::string>& words) {
    restricted_ = true;
    for (const std::string& word : words) words_.try_emplace(word);
}

const Sampler::Word* Sampler::add(std::string_view type, Use use, std::uint64_t document, std::uint64_t sentence,
                                  std::uint32_t begin, const corpus::Place& file) {
    ++occurrences_;
    Word* const word = find(type);
    if (word != nullptr) add(*word, use, document, sentence, begin, file);
    return word;
}

void Sampler::add(Word& word, Use use, std::uint64_t document, std::uint64_t sentence, std::uint32_t begin,
                  const corpus::Place& file) const {
    ++word.frequency;
    if (use == Use::exact_copy) ++word.exact_copies;
    if (use == Use::near_copy) ++word.near_copies;
    if (use != Use::usable) return;
    const Sampled sampled{priority_of(options_.seed, file.file, sentence - file.sentence, begin), sentence, begin};
    if (options_.per_document == 0) ++word.usable;
    const std::size_t most = options_.per_document > 0 ? options_.per_document : options_.per_word;
    if (options_.per_document == 0 && options_.by == SampleBy::rows) return take(word.sample, most, sampled);
    if (document != word.document) close_document(word);
    word.document = document;
    take(word.of_document, most, sampled);
}

// Null where there are only certain words, and this is none of them. Words are met again and again, and a look into a
// small table costs less than the three that the map needs in memory.
Sampler::Word* Sampler::find(std::string_view type) {
    constexpr std::size_t places = 4096;
    recent_.resize(places);
    Words::value_type*& recent = recent_[base::TextHash()(type) / counted_parts % places];
    if (recent != nullptr && recent->first == type) return &recent->second;
    auto found = words_.find(type);
    if (found == words_.end()) {
        if (restricted_) return nullptr;
        const auto id = static_cast<std::uint32_t>(words_.size());
        found = words_.try_emplace(std::string(type)).first;
        found->second.id = id;
    }
    recent = &*found;
    return &found->second;
}

Sampler::Words Sampler::take_words() {
    recent_.clear();
    return std::exchange(words_, {});
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
    if (word.of_document.empty()) return;
    if (options_.per_document > 0) word.usable += word.of_document.size();
    if (options_.by == SampleBy::documents) number_rounds(word.of_document);
    for (const Sampled& sampled : word.of_document) take(word.sample, options_.per_word, sampled);
    word.of_document.clear();
}

void Sampler::finish() {
    for (auto& [type, word] : words_) {
        close_document(word);
        types_ += word.frequency > 0 ? 1 : 0;
        most_usable_ = std::max(most_usable_, word.usable);
    }
    recent_.clear();
    if (restricted_) return;
    std::erase_if(words_, [&](const Words::value_type& entry) { return is_forgotten(entry.second); });
}

bool Sampler::is_forgotten(const Word& word) const {
    return word.usable + word.exact_copies + word.near_copies < options_.fewest;
}

void Sampler::join(Word& word, const Word& other) const {
    word.frequency += other.frequency;
    word.usable += other.usable;
    word.exact_copies += other.exact_copies;
    word.near_copies += other.near_copies;
    std::vector<Sampled>& sample = word.sample;
    sample.insert(sample.end(), other.sample.begin(), other.sample.end());
    const std::size_t most = options_.per_word;
    if (most == 0 || sample.size() <= most) return;
    std::nth_element(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(most), sample.end());
    sample.resize(most);
}

void Sampler::take(const std::string& type, Word word) {
    types_ += word.frequency > 0 ? 1 : 0;
    most_usable_ = std::max(most_usable_, word.usable);
    if (restricted_ || !is_forgotten(word)) words_.insert_or_assign(type, std::move(word));
}

std::vector<Sampler> Sampler::in_parts() const {
    std::vector<Sampler> parts;
    for (std::size_t i = 0; i < counted_parts; ++i) parts.emplace_back(options_).restricted_ = restricted_;
    for (const auto& [type, word] : words_) {
        Words& words = parts[part_of(type)].words_;
        const auto id = static_cast<std::uint32_t>(words.size());
        words.try_emplace(type).first->second.id = id;
    }
    return parts;
}

void Sampler::join(std::span<Sampler> parts) {
    std::size_t size = 0;
    for (const Sampler& part : parts) size += part.words_.size();
    words_.clear();
    words_.reserve(size);
    for (Sampler& part : parts) {
        occurrences_ += part.occurrences_;
        types_ += part.types_;
        most_usable_ = std::max(most_usable_, part.most_usable_);
        Words words = part.take_words();
        words_.merge(words);
    }
}

Counters::Counters(const ExtractOptions& options, std::uint64_t fewest)
    : list(wanted_words(options)),
      sampler({options.seed, per_word_of(options), options.per_document, options.sample, fewest}),
      wanted(list, cases_differ(options)) {
    if (!list.empty()) sampler.restrict_to(list);
}

Scan scan_corpus(corpus::Reader& reader, Pipeline& pipeline, Counters& counters, const ExtractOptions& options,
                 std::size_t kept_bytes, const std::function<void(const Scan&)>& look_up, PartWriter* part) {
    Scan scan;
    const Deduplicate deduplicate = deduplicate_of(options);
    const bool with_tags = !options.parts_of_speech.empty();
    std::vector<Sampler> samplers = counters.sampler.in_parts();
    Counting counting(samplers, counters.list.empty() ? nullptr : &counters.wanted, deduplicate, kept_bytes, scan,
                      part);
    const auto next = [&](corpus::Sentence& sentence) {
        if (!reader.next(sentence)) return false;
        if (scan.places.empty() || scan.places.back().file != reader.place().file)
            scan.places.push_back(reader.place());
        if (with_tags) counters.tags.add(sentence);
        scan.tokens += sentence.words.size();
        return true;
    };
    pipeline.run({"counting words", next, [&](Block& block) { counting.take(block); }, [&] { look_up(scan); },
                  deduplicate, Counting::parts,
                  [&](const Block& block, std::size_t part) { counting.count(block, part); }});
    counting.finish();
    pipeline.workers().run(samplers.size(), [&](std::size_t part, std::size_t) { samplers[part].finish(); });
    if (part != nullptr) part->keep_words(samplers);
    counters.sampler.join(samplers);
    return scan;
}

}  // namespace wordbreadth::extraction
