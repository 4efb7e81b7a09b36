#include "extraction/sampler.h"

#include <algorithm>

namespace wordbreadth::extraction {

namespace {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the input moves every bit of the output.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

}  // namespace

std::uint64_t priority_of(std::uint64_t seed, std::uint64_t sentence, std::uint32_t begin) {
    return mixed(mixed(mixed(seed) ^ sentence) ^ begin);
}

void Sampler::restrict_to(const std::vector<std::string>& words) {
    restricted_ = true;
    for (const std::string& word : words) words_.try_emplace(word);
}

void Sampler::add(std::string_view type, bool usable, std::uint64_t document, std::uint64_t sentence,
                  std::uint32_t begin) {
    ++occurrences_;
    auto found = words_.find(type);
    if (found == words_.end()) {
        if (restricted_) return;
        found = words_.try_emplace(std::string(type)).first;
    }
    Word& word = found->second;
    ++word.frequency;
    if (!usable) return;
    const Sampled sampled{priority_of(options_.seed, sentence, begin), sentence, begin};
    if (options_.per_document == 0) {
        ++word.usable;
        return take(word.sample, options_.per_word, sampled);
    }
    if (document != word.document) close_document(word);
    word.document = document;
    take(word.of_document, options_.per_document, sampled);
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
    word.usable += word.of_document.size();
    for (const Sampled& sampled : word.of_document) take(word.sample, options_.per_word, sampled);
    word.of_document.clear();
}

void Sampler::finish() {
    for (auto& [type, word] : words_) close_document(word);
}

}  // namespace wordbreadth::extraction
