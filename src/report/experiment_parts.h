// The parts of the paper's study: its tables, in the paper's layout and beside its figures, its sentences and its page.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/parts.h"
#include "wordbreadth/paper.h"

namespace wordbreadth::report {

// Whether the paper has rates at the level of these tests, and at one of their gaps. Where it has none at this level,
// none of its rates stands beside ours: not in tables, figures, captions or sentences.
[[nodiscard]] bool paper_has(const GapTests& tests);

// The same of the rates of its additional experiment, whatever the gaps.
[[nodiscard]] bool paper_has_additional(const std::vector<Experiment>& studies);

// Rejection and precision, as in the paper. Precision is left out here and in methods_table() where there is none.
[[nodiscard]] Table main_table(const Experiment& study);
[[nodiscard]] Table rejection_table(const GapTests& tests);  // of every method by gap
[[nodiscard]] Table methods_table(const Experiment& study);  // the same for every method, also cross-fitted
[[nodiscard]] Table pairs_table(const Experiment& study);    // every pair behind them
[[nodiscard]] Table summary_table(const Experiment& study);  // over all gaps: wins, ties, losses, the reduction
[[nodiscard]] Table additional_table(const std::vector<Experiment>& studies);        // wide gaps, all stores
[[nodiscard]] Table additional_pairs_table(const std::vector<Experiment>& studies);  // every pair behind them
[[nodiscard]] Table additional_changed_table(
    const std::vector<Experiment>& studies);                          // those rejected; whose p changes most first
[[nodiscard]] Table split_half_table(const Experiment& study);        // p of some words
[[nodiscard]] Table split_half_words_table(const Experiment& study);  // of the words asked for, beside the paper's
[[nodiscard]] Table papers_split_half_table();                        // the paper's own
[[nodiscard]] Table uniformity_table(const Experiment& study);        // of p over all words
[[nodiscard]] Table runtime_table(const Experiment& study);
[[nodiscard]] Table words_table(const Experiment& study);    // breadth and senses
[[nodiscard]] Table changed_table(const Experiment& study);  // pairs whose verdict alignment changes, the most first
[[nodiscard]] Table law_table(const Experiment& study);      // bins of the meaning-frequency law
[[nodiscard]] Table plane_table(const Experiment& study);    // the points of the t-SNE pictures

// Why there is no precision, in a sentence or two; empty where there is.
[[nodiscard]] std::string precision_note(const Experiment& study);

// "missing: ablaze (not in the store), ..." with what would help; empty where none is.
[[nodiscard]] std::string absent_sentence(const Experiment& study);

// The pairs of an experiment whose verdict alignment changes: rejected without it alone, with it alone; and how many
// are rejected both ways.
struct Changes {
    std::vector<const TestedPair*> none_only, householder_only;
    std::size_t both = 0;
};
[[nodiscard]] Changes changes_of(const GapTests& tests);

// The last part of a path.
[[nodiscard]] std::string short_path(const std::string& path);

// What people call these stores: the name of the folder, with as many of those around it as tell it from the others.
[[nodiscard]] std::vector<std::string> store_names(const std::vector<std::string>& folders);
[[nodiscard]] std::vector<std::string> store_names(const std::vector<Experiment>& studies);

// "the paper's words", or those that were asked for instead.
[[nodiscard]] std::string whose_words(const Experiment& study);

// What people call a model whose snapshot lies there: in a cache of Hugging Face the name that it has on the hub, the
// folder around one that is just called model, otherwise the last part.
[[nodiscard]] std::string model_name(const std::string& path);

// 1.3%, and sentences about rates over all gaps.
[[nodiscard]] std::string share(const Rate& rate);
[[nodiscard]] std::string main_sentence(const GapTests& tests);
[[nodiscard]] std::string precision_sentence(const GapTests& tests);
[[nodiscard]] std::string summary_sentence(const Experiment& study);  // wins, ties and losses

// A study among those of one run.
struct StudyPlace {
    const std::vector<Experiment>& studies;
    std::size_t index = 0;
    // One per study, below that of the run; the first has none. Empty for a page alone, which has no others beside it.
    std::vector<std::string> folders;

    [[nodiscard]] const Experiment& study() const { return studies[index]; }
    [[nodiscard]] std::string name() const { return store_names(studies)[index]; }
};

// The additional experiment of all stores is on the page of the first.
[[nodiscard]] Page study_page(const StudyPlace& place, const Store& store, const WordNet& wordnet);

// A table of a study, and what its JSON has beside it.
struct StudyTable {
    Table table;
    Json more = Json::object();
};

// All that the study has, in the order in which people want to read them. Those of the additional experiment, which is
// of all stores, come with the first study.
[[nodiscard]] std::vector<StudyTable> tables_of(const StudyPlace& place);

// What the options of the study were, for the foot of the page and for settings.json.
[[nodiscard]] std::vector<Setting> settings_of(const StudyPlace& place);

}  // namespace wordbreadth::report
