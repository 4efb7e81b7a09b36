// The tables and pictures of the paper's study, in its layout and beside its figures.
#pragma once

#include <string>
#include <vector>

#include "report/page/page.h"
#include "wordbreadth/experiment.h"
#include "wordbreadth/store.h"

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

[[nodiscard]] Svg rejection_figure(const GapTests& tests);  // rates by gap, a line per method
[[nodiscard]] Svg precision_figure(const GapTests& tests);
[[nodiscard]] Svg additional_figure(const Experiment& study);
[[nodiscard]] Svg split_half_figure(const Experiment& study, std::size_t method);  // p-values, two-sided
[[nodiscard]] Svg runtime_figure(const Experiment& study);
[[nodiscard]] Svg words_figure(const Experiment& study, const WordNet& wordnet);
[[nodiscard]] Svg changed_figure(const Experiment& study);  // p with alignment against p without
[[nodiscard]] Svg law_figure(const Experiment& study);

// The clouds on a plane before and after alignment; points lead to the concordances of pair_concordances().
[[nodiscard]] Svg plane_figure(const TellingPair& pair, const std::vector<Concordance>& concordances);
[[nodiscard]] Svg null_figure(const TestResult& result);  // T among its null distribution

// The sentences behind the points: of X, then of Y.
[[nodiscard]] std::vector<Concordance> pair_concordances(const TellingPair& pair, const Store& store);

}  // namespace wordbreadth::report
