// What a test found: in plain language, as a table and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/table/table.h"
#include "wordbreadth/test.h"

namespace wordbreadth::report {

// A few lines: the verdict at the level 1 - confidence, the breadths and their ratio, p and how it was obtained, the
// effect size, the method. Wants a result that has a p-value.
[[nodiscard]] std::string verdict(const TestResult& result, double confidence, const Style& style);

// "p = 0.0004 (7 of 20,000 permutations as extreme)".
[[nodiscard]] std::string p_sentence(const TestResult& result);

// "two-sided plain test, householder alignment, seed 0; cpu (avx512)".
[[nodiscard]] std::string method_of(const TestResult& result);

// "note: forced: the two stores have different layers: 1 and 4"; empty where there is no difference.
[[nodiscard]] std::string forced_note(const std::string& differences);

// A test and what is known of it beyond its result.
struct ReportedTest {
    const TestResult* result = nullptr;
    double adjusted = 0;    // p, for the number of tests
    std::uint64_t gap = 0;  // between the ranks of the two clouds
    std::string forced{};   // what differs between their stores; empty: nothing, or nothing that is known
};

// The columns that not all commands have.
struct TestColumns {
    bool gap = false;
    std::optional<std::string> adjusted{};  // the heading of p_adjusted; "" is for programs only
    bool forced = false;
};

[[nodiscard]] Table table_of(std::vector<ReportedTest> tests, const TestColumns& with);

// A list of objects: the columns, and two of them as programs that read JSON like them: the interval as a pair, the
// tail estimate as an object. The null distribution is left out: it goes to a file of its own.
[[nodiscard]] nlohmann::ordered_json json_of(const std::vector<ReportedTest>& tests, const TestColumns& with);

// One test, whose clouds may come from stores that were made differently.
[[nodiscard]] Table table_of(const TestResult& result, const std::string& forced);
[[nodiscard]] nlohmann::ordered_json json_of(const TestResult& result, const std::string& forced);

// What there is no result for, and why: one line each, the first few, lest they bury the table.
[[nodiscard]] std::string reason_lines(const std::vector<std::pair<std::string, std::string>>& reasons,
                                       const Style& style);

}  // namespace wordbreadth::report
