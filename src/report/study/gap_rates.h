// Tests of pairs some ranks apart, as `wordbreadth pairs --gap` prints them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "report/study/study_table.h"
#include "wordbreadth/gap_pairs.h"
#include "wordbreadth/test.h"

namespace wordbreadth::report {

// The share of pairs with p at or below alpha at each gap. One result a pair of `pairs`.
[[nodiscard]] StudyTable gap_rates(const GapPairs& pairs, std::span<const TestResult> results, double alpha);

// The results' JSON or TSV (see json.h, tsv.h) with the gap of each pair: a member, or a first column.
void add_gaps(nlohmann::ordered_json& results, const GapPairs& pairs);
[[nodiscard]] std::string with_gaps(const std::string& tsv, const GapPairs& pairs);

}  // namespace wordbreadth::report
