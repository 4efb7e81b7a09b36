// The first pass over a corpus: counts its words and draws the samples.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "corpus/corpus.h"
#include "extraction/analyst.h"
#include "extraction/missing.h"
#include "extraction/sampler.h"

namespace wordbreadth::extraction {

struct ScanOptions {
    corpus::Selection selection;
    AnalystOptions analyst;
    unsigned threads = 1;           // never changes a result
    WantedWords* wanted = nullptr;  // counts the words of a list as they are met
    TagCounts* tags = nullptr;      // likewise the parts of speech
    std::function<void(double done, std::uint64_t occurrences)> progress;
    std::stop_token stop;
};

struct Scan {
    std::vector<corpus::Place> places;              // where the files begin that have sentences
    std::array<std::uint64_t, uses> occurrences{};  // by their Use
};

// Reads the corpus to its end. Memory grows with the number of different words, not with the corpus.
// Throws InputError when the corpus is bad, naming the document and the sentence where it cannot be tokenized.
[[nodiscard]] Scan scan_corpus(corpus::Reader& reader, const tokenizer::Tokenizer& tokenizer, Sampler& sampler,
                               const ScanOptions& options);

}  // namespace wordbreadth::extraction
