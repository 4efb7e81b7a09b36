// What changes from layer to layer of a store: the order of its words, how breadth goes with the senses that WordNet
// lists, and the verdicts of the test.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wordbreadth/lexicon.h"
#include "wordbreadth/rates.h"
#include "wordbreadth/store.h"

namespace wordbreadth {

struct LayerStudyOptions {
    std::size_t count = 1000;  // pairs of words that are tested, the same at every layer; drawn at random
    double alpha = 0.05;
    std::uint64_t permutations = 1999;
    std::size_t draws = 1000;  // samples of words, with replacement, from which intervals are made
    std::uint64_t seed = 0;
    Execution execution = {};
    // Breadth from pairs of rows of different documents, and the test that permutes them. Nothing: where the store
    // knows documents.
    std::optional<bool> documents = {};
};

// With its 95% interval: quantiles of a bootstrap of words. NaN where there are too few words, or all are alike.
struct CorrelationEstimate {
    double value = NAN;
    double low = NAN;
    double high = NAN;
};

// Partial rank correlation (Spearman's) of breadth with a property of the word, given its frequency in the corpus.
struct SenseCorrelation {
    CorrelationEstimate at_layer;
    CorrelationEstimate gain;  // over the reference layer, of which it is 0; the samples of words are the same
};

struct LayerResult {
    std::string layer;
    SenseCorrelation senses;           // with the number of senses in WordNet
    SenseCorrelation entropy;          // with the entropy of their frequencies in cntlist.rev
    std::vector<double> correlations;  // rank correlation of breadths with those of each layer
    Rate different;                    // of the pairs, those whose breadths differ by the test
    std::vector<Rate> same_verdict;    // as each layer: X broader, X narrower, or undecided
    std::vector<Rate> opposite;        // broader at one of the two layers and narrower at the other
};

struct LayerStudy {
    std::string store;
    LayerStudyOptions options;  // as they were used: whether documents are regarded is known
    std::size_t words = 0;      // that have a breadth at every layer
    std::size_t known = 0;      // of these, lemmas of WordNet; forms of another lemma have its senses, and are left out
    std::size_t tagged = 0;     // of these, with fewest_tags or more in cntlist.rev
    std::size_t pairs = 0;      // that have a test
    Method method;
    std::size_t reference = 0;  // of the layers: the default one, or else the last
    std::vector<LayerResult> layers;
};

// An entropy of fewer says little.
inline constexpr std::uint64_t fewest_tags = 10;

// `wordnet` may be null: no word is known then. Throws InputError when the folder is no finished store, has one layer
// only, or has no documents where they are asked for; Cancelled when stopped.
[[nodiscard]] LayerStudy study_layers(const std::string& folder, const WordNet* wordnet, LayerStudyOptions options);

}  // namespace wordbreadth
