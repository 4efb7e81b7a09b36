// The parts of the paper's study: its tables, in the paper's layout and beside its figures, its sentences and its page.
#pragma once

#include <string>
#include <vector>

#include "report/paper.h"
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

}  // namespace wordbreadth::report
