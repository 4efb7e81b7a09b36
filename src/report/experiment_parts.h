// The parts of the paper's study: its tables, in the paper's layout and beside its figures, its sentences and its page.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "report/parts.h"

namespace wordbreadth::report {

// Rejection and precision, as in the paper. Precision is left out here and in methods_table() where there is none.
[[nodiscard]] Table main_table(const Experiment& study);
[[nodiscard]] Table rejection_table(const GapTests& tests);     // of every method by gap
[[nodiscard]] Table methods_table(const Experiment& study);     // the same for every method, also cross-fitted
[[nodiscard]] Table pairs_table(const Experiment& study);       // every pair behind them
[[nodiscard]] Table additional_table(const Experiment& study);  // wide gaps, all stores
[[nodiscard]] Table split_half_table(const Experiment& study);  // p of some words
[[nodiscard]] Table papers_split_half_table();                  // the paper's own
[[nodiscard]] Table uniformity_table(const Experiment& study);  // of p over all words
[[nodiscard]] Table runtime_table(const Experiment& study);
[[nodiscard]] Table words_table(const Experiment& study);    // breadth and senses
[[nodiscard]] Table changed_table(const Experiment& study);  // pairs whose verdict alignment changes
[[nodiscard]] Table law_table(const Experiment& study);      // bins of the meaning-frequency law
[[nodiscard]] Table plane_table(const Experiment& study);    // the points of the t-SNE pictures

// Why there is no precision, in a sentence or two; empty where there is.
[[nodiscard]] std::string precision_note(const Experiment& study);

// The pairs of the main experiment whose verdict alignment changes: rejected without it alone, with it alone; and those
// rejected both ways. Those whose p changes most come first.
struct Changes {
    std::vector<const TestedPair*> none_only, householder_only;
    std::size_t both = 0;
};
[[nodiscard]] Changes changes_of(const GapTests& tests);

// The last part of a path: what people call a store.
[[nodiscard]] std::string short_path(const std::string& path);

// What people call a model whose snapshot lies there: in a cache of Hugging Face the name that it has on the hub, the
// folder around one that is just called model, otherwise the last part.
[[nodiscard]] std::string model_name(const std::string& path);

// 1.3%, and sentences about rates over all gaps.
[[nodiscard]] std::string share(const Rate& rate);
[[nodiscard]] std::string main_sentence(const GapTests& tests);
[[nodiscard]] std::string precision_sentence(const GapTests& tests);

[[nodiscard]] Page study_page(const Experiment& study, const Store& store, const WordNet& wordnet);

// What the options of the study were, for the foot of the page and for settings.json.
[[nodiscard]] std::vector<Setting> settings_of(const Experiment& study);

// ---- The figures that the paper reports (Ehara, ACL 2026), to stand beside ours

// Baseline: without alignment; proposed: with it.
inline constexpr double papers_alpha = 0.01;
struct PapersGap {
    std::size_t gap;
    double baseline, proposed;  // rejection rates at that alpha, 300 pairs
    double baseline_precision, proposed_precision;
};
inline constexpr PapersGap papers_gaps[] = {
    {1, 0.013, 0.013, 0.250, 0.250},  {2, 0.010, 0.010, 0.667, 0.667}, {3, 0.007, 0.007, 0.500, 0.500},
    {4, 0.020, 0.030, 0.333, 0.444},  {5, 0.017, 0.013, 0.600, 0.750}, {6, 0.013, 0.013, 0.750, 0.750},
    {7, 0.020, 0.020, 0.500, 0.500},  {8, 0.013, 0.013, 0.500, 0.500}, {9, 0.027, 0.023, 0.375, 0.286},
    {10, 0.040, 0.027, 0.417, 0.625},
};

// Null where the paper has none.
[[nodiscard]] inline const PapersGap* papers_gap(std::size_t gap) {
    const auto* const found = std::ranges::find(papers_gaps, gap, &PapersGap::gap);
    return found == std::end(papers_gaps) ? nullptr : found;
}

struct PapersAdditional {
    std::string_view corpus;
    std::size_t gap;
    double baseline, proposed;  // rejection rates at 0.05, 500 pairs, 5,000 permutations
};
inline constexpr PapersAdditional papers_additional[] = {
    {"BNC / BERT-tiny", 50, 0.034, 0.024},    {"BNC / BERT-tiny", 100, 0.064, 0.044},
    {"BNC / ModernBERT", 50, 0.040, 0.022},   {"BNC / ModernBERT", 100, 0.090, 0.062},
    {"BCCWJ / BERT-large", 50, 0.032, 0.022}, {"BCCWJ / BERT-large", 100, 0.090, 0.046},
};

struct PapersTime {
    std::string_view device;
    double milliseconds_each, milliseconds;  // of a permutation, of 20,000
};
inline constexpr PapersTime papers_times[] = {{"CPU", 1.588, 31750}, {"GPU", 0.069, 1377}};

struct PapersWord {
    std::string_view word;
    double v;
    std::size_t senses;
};
inline constexpr PapersWord papers_word_table[] = {
    {"articulate", 0.000740, 7}, {"triple", 0.000813, 7}, {"mark", 0.000718, 30},
    {"colitis", 0.000103, 1},    {"debtor", 0.000123, 1},
};

struct PapersHalves {
    std::string_view word;
    std::uint64_t total;
    double baseline_greater, proposed_greater, baseline_two_sided, proposed_two_sided;  // p
};
inline constexpr PapersHalves papers_halves[] = {
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

}  // namespace wordbreadth::report
