// The paper's study as a page, as files for other programs, and in a few lines.
#pragma once

#include <string>
#include <vector>

#include "base/output_file.h"
#include "report/page/page.h"
#include "wordbreadth/experiment.h"
#include "wordbreadth/store.h"

namespace wordbreadth::report {

// How the study was made, beside its options.
struct StudyOrigin {
    std::string command;  // that repeats it
    std::string wordnet;  // the folder
    std::string version;  // of this program
};

// Where the study goes: report.html, each table as TSV and JSON, each picture as SVG, and settings.json.
class StudyFolder {
  public:
    // Makes the folder where it is missing. Throws InputError when it cannot be made or written to.
    explicit StudyFolder(const std::string& path);

    // Files of an earlier study that this one does not have are removed.
    void write(const Experiment& study, const Store& store, const WordNet& wordnet, const StudyOrigin& origin) const;

    [[nodiscard]] std::string page_path() const { return path_ + "/report.html"; }

  private:
    std::string path_;
    base::MadeFolder made_;  // removes it again where nothing was written
};

[[nodiscard]] Page study_page(const Experiment& study, const Store& store, const WordNet& wordnet);

// What the options of the study were, for the foot of the page and for settings.json.
[[nodiscard]] std::vector<Setting> settings_of(const Experiment& study);

[[nodiscard]] std::string study_text(const Experiment& study, const Style& style);

// Which methods' p-values of split halves are not uniform, and of which that cannot be told.
[[nodiscard]] std::string uniformity_sentence(const SplitHalf& halves);

// The meaning-frequency law over bins and over single words; where there are too few bins for R², it says so.
[[nodiscard]] std::string law_sentence(const FrequencyLaw& law);

}  // namespace wordbreadth::report
