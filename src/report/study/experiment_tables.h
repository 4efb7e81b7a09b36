// The tables of the paper's study, in its layout and beside its figures.
#pragma once

#include "report/study/study_table.h"
#include "wordbreadth/experiment.h"

namespace wordbreadth::report {

// Rejection and precision, as in the paper. Precision is left out here and in methods_table() where there is none.
[[nodiscard]] StudyTable main_table(const Experiment& study);
[[nodiscard]] StudyTable rejection_table(const GapTests& tests);     // of every method by gap
[[nodiscard]] StudyTable methods_table(const Experiment& study);     // the same for every method, also cross-fitted
[[nodiscard]] StudyTable pairs_table(const Experiment& study);       // every pair behind them
[[nodiscard]] StudyTable additional_table(const Experiment& study);  // wide gaps, all stores
[[nodiscard]] StudyTable split_half_table(const Experiment& study);  // p of some words
[[nodiscard]] StudyTable papers_split_half_table();                  // the paper's own
[[nodiscard]] StudyTable uniformity_table(const Experiment& study);  // of p over all words
[[nodiscard]] StudyTable runtime_table(const Experiment& study);
[[nodiscard]] StudyTable words_table(const Experiment& study);    // breadth and senses
[[nodiscard]] StudyTable changed_table(const Experiment& study);  // pairs whose verdict alignment changes
[[nodiscard]] StudyTable law_table(const Experiment& study);      // bins of the meaning-frequency law
[[nodiscard]] StudyTable plane_table(const Experiment& study);    // the points of the t-SNE pictures

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

}  // namespace wordbreadth::report
