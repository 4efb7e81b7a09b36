// What a test found, in plain language.
#pragma once

#include <string>

#include "report/style.h"
#include "wordbreadth/test.h"

namespace wordbreadth::report {

// A few lines: the verdict at the level 1 - confidence, the breadths and their ratio, p and how it was obtained, the
// effect size, the method. Wants a result that has a p-value.
[[nodiscard]] std::string verdict(const TestResult& result, double confidence, const Style& style);

// "p = 0.0004 (7 of 20,000 splits as extreme)".
[[nodiscard]] std::string p_sentence(const TestResult& result);

// "two-sided plain test, householder alignment, seed 0; cpu (avx512)".
[[nodiscard]] std::string method_of(const TestResult& result);

// "note: forced: the two stores have different layers: 1 and 4"; empty where there is no difference.
[[nodiscard]] std::string forced_note(const std::string& differences);

}  // namespace wordbreadth::report
