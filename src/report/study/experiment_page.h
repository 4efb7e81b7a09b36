// The paper's study as a page, as files for other programs, and in a few lines.
#pragma once

#include <string>
#include <vector>

#include "report/page/page.h"
#include "report/style.h"
#include "wordbreadth/experiment.h"
#include "wordbreadth/store.h"

namespace wordbreadth::report {

struct StudyFile {
    std::string name;
    std::string content;
};

// Everything of the study but the page: each table as TSV and JSON, each picture as SVG, and settings.json, which
// repeats the run.
[[nodiscard]] std::vector<StudyFile> study_files(const Experiment& study, const Store& store,
                                                 const WordNet& wordnet, const std::vector<Setting>& settings);

[[nodiscard]] Page study_page(const Experiment& study, const Store& store, const WordNet& wordnet);

// What the options of the study were, for the foot of the page and for settings.json.
[[nodiscard]] std::vector<Setting> settings_of(const Experiment& study);

[[nodiscard]] std::string study_text(const Experiment& study, const Style& style);

}  // namespace wordbreadth::report
