// The paper (Ehara, ACL 2026): its settings, the words it looks at, and the figures it reports. Whatever else needs one
// of these takes it from here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wordbreadth/experiment.h"

namespace wordbreadth::paper {

inline constexpr double alpha = 0.01, additional_alpha = 0.05;  // of the main and of the additional experiment

// The settings of the paper, one-sided tests and ranks of frequency at the wide gaps included. Where it leaves one open
// (the number of permutations of the main experiment) it is the default of ExperimentOptions.
[[nodiscard]] ExperimentOptions settings();

// Where the options of a study are others than these, a sentence each. What the paper leaves open is no deviation.
[[nodiscard]] std::vector<std::string> deviations(const ExperimentOptions& options);

// These as the study ran, and where the store has too few words for as many pairs as the paper has.
[[nodiscard]] std::vector<std::string> deviations(const Experiment& study);

// How the paper reads a rejection rate of its additional experiment. Empty for gaps that it does not have there.
[[nodiscard]] constexpr std::string_view reading(std::size_t gap) {
    return gap == 50 ? "Type-I error" : gap == 100 ? "power" : "";
}

// The pair of its t-SNE pictures.
inline constexpr std::string_view pair_x = "articulate", pair_y = "triple";

// ---- Its figures, to stand beside ours

// Table 1 and figure 2. Baseline: without alignment; proposed: with it.
struct Gap {
    std::size_t gap;
    double baseline, proposed;  // rejection rates at `alpha`, 300 pairs
    double baseline_precision, proposed_precision;
};
inline constexpr Gap gaps[] = {
    {1, 0.013, 0.013, 0.250, 0.250},  {2, 0.010, 0.010, 0.667, 0.667}, {3, 0.007, 0.007, 0.500, 0.500},
    {4, 0.020, 0.030, 0.333, 0.444},  {5, 0.017, 0.013, 0.600, 0.750}, {6, 0.013, 0.013, 0.750, 0.750},
    {7, 0.020, 0.020, 0.500, 0.500},  {8, 0.013, 0.013, 0.500, 0.500}, {9, 0.027, 0.023, 0.375, 0.286},
    {10, 0.040, 0.027, 0.417, 0.625},
};

// Null where the paper has none.
[[nodiscard]] inline const Gap* gap_of(std::size_t gap) {
    const auto* const found = std::ranges::find(gaps, gap, &Gap::gap);
    return found == std::end(gaps) ? nullptr : found;
}

// Table 2.
struct Additional {
    std::string_view corpus;
    std::size_t gap;
    double baseline, proposed;  // rejection rates at `additional_alpha`, 500 pairs, 5,000 permutations
};
inline constexpr Additional additional[] = {
    {"BNC / BERT-tiny", 50, 0.034, 0.024},    {"BNC / BERT-tiny", 100, 0.064, 0.044},
    {"BNC / ModernBERT", 50, 0.040, 0.022},   {"BNC / ModernBERT", 100, 0.090, 0.062},
    {"BCCWJ / BERT-large", 50, 0.032, 0.022}, {"BCCWJ / BERT-large", 100, 0.090, 0.046},
};

// Table 3: BCCWJ, BERT-large.
struct Time {
    std::string_view device;
    double milliseconds_each, milliseconds;  // of a permutation, of 20,000
};
inline constexpr Time times[] = {{"CPU", 1.588, 31750}, {"GPU", 0.069, 1377}};

// Table 4.
struct Word {
    std::string_view word;
    double v;
    std::size_t senses;
};
inline constexpr Word words[] = {
    {"articulate", 0.000740, 7}, {"triple", 0.000813, 7}, {"mark", 0.000718, 30},
    {"colitis", 0.000103, 1},    {"debtor", 0.000123, 1},
};

// The table of split halves, in the order of its rows.
struct Halves {
    std::string_view word;
    std::uint64_t total;
    double baseline_greater, proposed_greater, baseline_two_sided, proposed_two_sided;  // p
};
inline constexpr Halves halves[] = {
    {"ablaze", 160, 0.2441, 0.2474, 0.4895, 0.4956},         {"accolade", 160, 0.6356, 0.6345, 0.7330, 0.7356},
    {"actuality", 156, 0.7650, 0.7644, 0.4702, 0.4714},      {"acheson", 154, 0.4623, 0.4613, 0.9205, 0.9191},
    {"adaptability", 153, 0.5581, 0.5578, 0.8827, 0.8841},   {"adenauer", 152, 0.0369, 0.0342, 0.0756, 0.0709},
    {"additive", 151, 0.5910, 0.5918, 0.8148, 0.8139},       {"absentee", 150, 0.6509, 0.6534, 0.6997, 0.6950},
    {"abnormally", 149, 0.3397, 0.3412, 0.6888, 0.6901},     {"abstinence", 147, 0.5419, 0.5395, 0.9168, 0.9186},
    {"aberration", 145, 0.9040, 0.9056, 0.1845, 0.1815},     {"acetate", 145, 0.6496, 0.6489, 0.7017, 0.7019},
    {"abstracted", 139, 0.2506, 0.2562, 0.5095, 0.5173},     {"abyss", 137, 0.1744, 0.1724, 0.3501, 0.3466},
    {"abatement", 136, 0.4426, 0.4416, 0.8877, 0.8860},      {"according", 135, 0.3434, 0.3443, 0.6827, 0.6846},
    {"acrimonious", 135, 0.9729, 0.9628, 0.0519, 0.0725},    {"abstain", 132, 0.0420, 0.0363, 0.0841, 0.0734},
    {"accomplishment", 130, 0.4508, 0.4498, 0.8928, 0.8919}, {"acne", 130, 0.7160, 0.7159, 0.5633, 0.5644},
};

struct Corpus {
    std::string_view name;
    std::uint64_t tokens;
};
inline constexpr Corpus corpora[] = {{"BNC", 109369848}, {"BCCWJ", 124102859}};

}  // namespace wordbreadth::paper
