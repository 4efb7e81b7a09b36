// Tests of many pairs, as `wordbreadth pairs` prints them.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "report/table/table.h"
#include "wordbreadth/adjust.h"
#include "wordbreadth/gap_pairs.h"
#include "wordbreadth/test.h"

namespace wordbreadth::report {

struct TestedPairs {
    std::span<const TestResult> results;
    TestOptions options{};
    Adjustment adjustment = Adjustment::none;
    std::vector<double> adjusted{};  // p, one per result
    double seconds = 0;
    std::size_t common_size = 0;     // rows of each cloud; 0: all
    const GapPairs* gaps = nullptr;  // where pairs were drawn by gap: one pair per result
    GapOptions gap_options{};
};

// The pairs in the order given.
[[nodiscard]] Table table_of(const TestedPairs& pairs);

// Of pairs by gap, the share with p at or below 1 - confidence at each gap.
[[nodiscard]] Table gap_rates(const TestedPairs& pairs);

// The first `shown` pairs, smallest p first, pairs without a p-value last, and why they have none; of pairs by gap the
// rates. Then the method.
[[nodiscard]] std::string text_of(const TestedPairs& pairs, std::size_t shown, const Style& style);

// {"results": [...], "seconds": total}, and "gaps".
[[nodiscard]] nlohmann::ordered_json json_of(const TestedPairs& pairs);

}  // namespace wordbreadth::report
