// What stands at the foot of a study: how it was made, and what it could not take.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/page/page.h"
#include "wordbreadth/store.h"
#include "wordbreadth/word_study.h"

namespace wordbreadth::report {

// "two-sided plain test, householder alignment; at most 20,000 splits a test, which stops early at its 100th
// exceedance; p adjusted by bh; seed 0; cpu (avx512), 2.1 s".
[[nodiscard]] std::string method_sentence(const WordStudyOptions& options, const std::string& device, double seconds);

// "left out: few (has 3 rows), same (...) and 7 more"; empty where there is none.
[[nodiscard]] std::string left_out_sentence(std::span<const LeftOut> left_out);

// The options of a study, for a page.
[[nodiscard]] std::vector<Setting> settings_of(const WordStudyOptions& options, const std::string& device);

// Where the clouds of a store come from; each name preceded by `prefix`.
[[nodiscard]] std::vector<Setting> origin_of(const Store& store, const std::string& prefix = "");

// What the vectors of a store are: model, layers and so on. Stores that are compared have the same, unless it was
// forced.
[[nodiscard]] std::vector<Setting> vectors_of(const Store& store, const std::string& prefix = "");

}  // namespace wordbreadth::report
