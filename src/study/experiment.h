// The paper's study, whole: on one store, its additional experiment on several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lexicon/wordnet.h"
#include "store/cloud_store.h"
#include "study/device_times.h"
#include "study/frequency_law.h"
#include "study/gap_tests.h"
#include "study/split_half.h"
#include "study/telling_pair.h"
#include "study/word_examples.h"

namespace wordbreadth {

// The defaults are the paper's.
struct ExperimentOptions {
    std::vector<std::size_t> gaps{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    std::optional<std::size_t> count;  // pairs at each gap; nothing: 300, or all where there are fewer
    double alpha = 0.01;
    std::uint64_t permutations = 20000;

    std::vector<std::size_t> additional_gaps{50, 100};
    std::optional<std::size_t> additional_count;  // nothing: 500, or all where there are fewer
    double additional_alpha = 0.05;
    std::uint64_t additional_permutations = 5000;
    RankBy additional_by = RankBy::breadth;

    std::size_t sanity_words = 20;  // shown; uniformity is tested over all
    std::size_t bin_size = 100;     // of the meaning-frequency law
    std::size_t common_size = 0;    // rows taken of each word, at least 4; 0: as many as the smallest such cloud has
    bool adaptive = true;           // where it changes no verdict
    std::uint64_t seed = 0;
    Execution execution = {};
};

struct AdditionalTests {
    std::string store;
    std::string model;  // as the store tells it
    GapTests tests;
};

struct Experiment {
    ExperimentOptions options;
    std::string store;  // of all but the additional experiment
    std::string model;
    std::size_t dimension = 0;
    Ranking ranking;  // by breadth
    GapTests main, cross_fitted;
    std::vector<AdditionalTests> additional;  // the same store first
    SplitHalf split_half;
    DeviceTimes times;
    WordExamples words;
    TellingPair pair;
    FrequencyLaw law;
};

// Whether WordNet has at least half of the words, so that numbers of senses can be compared. A word that it lacks has
// none, and two such words always agree: precision would tell which words are missing. Of English corpora WordNet has
// eight or nine words in ten, of those in other languages up to four, which are English words by their letters alone.
[[nodiscard]] bool has_precision(const Experiment& study);

// Throws InputError when a store has too few words or rows for a gap, Cancelled when stopped. `stores` are not empty.
[[nodiscard]] Experiment experiment(const std::vector<const store::CloudStore*>& stores,
                                    const lexicon::WordNet& wordnet, const ExperimentOptions& options);

}  // namespace wordbreadth
