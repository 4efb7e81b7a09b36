// The paper's study, whole, on one store or several.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wordbreadth/gap_pairs.h"
#include "wordbreadth/lexicon.h"
#include "wordbreadth/rank.h"
#include "wordbreadth/rates.h"
#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

// The defaults are the paper's, except for the alternative, the ranking of the additional experiment and the rows of
// split halves; paper::settings() has these too (paper.h).
struct ExperimentOptions {
    std::vector<std::size_t> gaps{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    std::optional<std::size_t> count;  // pairs at each gap; nothing: 300, or all where there are fewer
    double alpha = 0.01;
    std::uint64_t permutations = 20000;

    std::vector<std::size_t> additional_gaps{50, 100};
    std::optional<std::size_t> additional_count;  // nothing: 500, or all where there are fewer
    double additional_alpha = 0.05;
    std::uint64_t additional_permutations = 5000;
    RankBy additional_by = RankBy::v;

    // Of the tests of pairs: two_sided or greater. X is the word of the better rank: the broader one, or the more
    // frequent.
    Alternative alternative = Alternative::two_sided;

    std::vector<std::string> words;  // looked at one by one; none: the paper's
    std::vector<std::string> pair;   // two words to plot; none: the paper's, else one that alignment changes

    std::size_t sanity_words = 20;  // shown; uniformity is tested over all
    bool own_halves = false;        // halves of all rows that a word has, not of the common size
    std::size_t bin_size = 100;     // of the meaning-frequency law
    std::size_t common_size = 0;    // rows taken of each word, at least 4; 0: as many as the smallest such cloud has
    bool adaptive = true;           // where it changes no verdict
    std::uint64_t seed = 0;
    Execution execution = {};
    // Pairs of words are also tested by permuting documents, of stores that know them. Halves of a word are not:
    // divided at random, their rows are exchangeable; halves of whole documents are looked at by calibrate().
    bool blocks = true;
};

// The sanity check: the two halves of each word's rows tested against each other.
struct SplitHalf {
    std::size_t n = 0, m = 0;                           // rows of the halves; 0: halves of all rows of each word
    std::size_t tested = methods.size();                // how many of the methods; the device has no others
    std::vector<std::string> words;                     // in a random order; those with enough rows
    std::vector<std::uint64_t> totals;                  // rows of each in the store
    PerMethod<std::vector<double>> greater, two_sided;  // p of each word
    PerMethod<Uniformity> greater_uniformity, two_sided_uniformity;
};

// The meaning-frequency law: frequent words are broader. Words in bins by frequency, and a straight line through the
// bins' means in logarithms.
struct FrequencyBin {
    std::size_t words = 0;
    double frequency = 0;  // geometric means over the words
    double v = 0;
    std::string most_frequent;
    std::size_t known = 0;  // of the words, those that WordNet has
    double senses = NAN;    // the mean number of senses of these; NaN without any
};

// A line through fewer points meets them all: neither its fit nor its error can be told.
inline constexpr std::size_t least_points_of_a_fit = 3;

// Least squares of log v on log frequency.
struct LawFit {
    std::size_t points = 0;
    double slope = 0, intercept = 0;
    double slope_standard_error = 0;  // NaN with fewer than least_points_of_a_fit, like R^2
    double r_squared = 0;
};

struct FrequencyLaw {
    std::size_t bin_size = 0;
    std::vector<FrequencyBin> bins;  // the most frequent words first; equally frequent ones by their bytes
    LawFit of_bins;
    LawFit of_words;  // for comparison: without bins
};

// How long a test takes on each device.
struct DeviceTime {
    std::string device;
    std::string label;        // with what really ran
    double seconds = 0;       // of one test; NaN: it was not measured
    double seconds_each = 0;  // of a test among `together`
    std::size_t together = 0;
    std::string unavailable_because;  // empty when it was measured
};

struct DeviceTimes {
    std::size_t n = 0, m = 0, d = 0;
    std::uint64_t permutations = 0;
    unsigned threads = 0;
    std::vector<DeviceTime> devices;
};

// Words with their breadth and their number of senses: the paper's examples, and the ends of the ranking.
struct WordExample {
    std::size_t rank = 0;  // by breadth, from 1; 0: not in the store
    std::string word;
    double v = 0;  // NaN when it is not in the store
    std::uint64_t frequency = 0;
    std::size_t senses = 0;
    bool from_paper = false;  // or asked for
};

struct WordExamples {
    std::vector<WordExample> words;  // those asked for or the paper's, then the broadest, then the narrowest
    std::size_t known = 0;           // words of the ranking that WordNet has
    double correlation = 0;          // Spearman's, of v and senses, over these; NaN where there is none
};

// One pair looked at closely: its test with and without alignment, and its clouds on a plane before and after.
struct PlanePoint {
    double x = 0, y = 0;
};

struct TellingPair {
    std::string x, y;
    std::string why;                          // this pair
    std::vector<std::size_t> rows_x, rows_y;  // of the store, that are shown
    TestResult none, householder;             // with their null distributions
    std::vector<PlanePoint> before, after;    // the rows of x, then those of y
};

// A word that was to be looked at and is not part of the study.
struct AbsentWord {
    std::string word;
    std::string reason;  // "several tokens (38 of 40 occurrences): ...", as far as the store knows it
};

// The study of one store.
struct Experiment {
    ExperimentOptions options;
    std::string store;
    std::string model;  // as the store tells it
    std::string layer;  // of its layers, the one studied; empty where it has none
    std::size_t dimension = 0;
    std::size_t wordnet = 0;  // which of those given: the one that has most of the words
    Ranking ranking;          // by breadth
    GapTests main, cross_fitted, additional;
    SplitHalf split_half;
    std::vector<std::string> words_asked;  // or the paper's: those of split halves
    std::vector<AbsentWord> absent;        // of all words to be looked at
    DeviceTimes times;
    WordExamples words;
    TellingPair pair;
    FrequencyLaw law;
};

// Whether WordNet has at least half of the words, so that numbers of senses can be compared. A word that it lacks has
// none, and two such words always agree: precision would tell which words are missing. Of English corpora WordNet has
// eight or nine words in ten, of those in other languages up to four, which are English words by their letters alone.
[[nodiscard]] bool has_precision(const Experiment& study);

// One study for each store, in their order; `stores` and `wordnets` are not empty. Each store is compared with the
// WordNet that has most of its words. Throws InputError when a store has too few words or rows for a gap, or none has
// the pair that was asked for, Cancelled when stopped.
[[nodiscard]] std::vector<Experiment> experiment(const std::vector<const Store*>& stores,
                                                 const std::vector<const WordNet*>& wordnets,
                                                 const ExperimentOptions& options);

}  // namespace wordbreadth
