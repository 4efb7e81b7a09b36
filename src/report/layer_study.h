// The layers of a store beside each other, as front ends print them.
#pragma once

#include <string>
#include <vector>

#include "report/page/page.h"
#include "report/table/table.h"
#include "wordbreadth/layer_study.h"

namespace wordbreadth::report {

[[nodiscard]] Table table_of(const LayerStudy& study);            // one row per layer
[[nodiscard]] Table correlations_table(const LayerStudy& study);  // of breadths: every layer against every other
[[nodiscard]] Table verdicts_table(const LayerStudy& study);      // pairs with the same one
[[nodiscard]] std::string text_of(const LayerStudy& study, const Style& style);
[[nodiscard]] Json json_of(const LayerStudy& study);
[[nodiscard]] Page page_of(const LayerStudy& study);
[[nodiscard]] Svg figure_of(const LayerStudy& study);

// vectors_of(store), of whichever of its layers that is, with all the layers of the study.
[[nodiscard]] std::vector<Setting> vectors_of(const LayerStudy& study, const Store& store);

}  // namespace wordbreadth::report
