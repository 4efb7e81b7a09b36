// The pictures of the paper's study.
#pragma once

#include <string>
#include <vector>

#include "report/page/page.h"
#include "report/svg.h"
#include "wordbreadth/experiment.h"
#include "wordbreadth/store.h"

namespace wordbreadth::report {

[[nodiscard]] Svg rejection_figure(const GapTests& tests);  // rates by gap, a line a method
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
