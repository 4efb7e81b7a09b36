// The test of many pairs on one backend: checks, observed statistics, the backend's counts, p-values.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/backend.h"
#include "geometry/concentration.h"
#include "geometry/unit_rows.h"
#include "wordbreadth/test.h"

namespace wordbreadth::engine {

// Throws InputError, naming the option, the value and what was expected.
void check_options(const TestOptions& options);

// Throws InputError, naming the clouds, when they have different dimensions or too many rows together.
void check_pair(const geometry::UnitRows& x, const geometry::UnitRows& y);

// A cloud and what every test that it stands in needs of it, found once.
struct TestCloud {
    geometry::UnitRows rows;
    std::optional<geometry::Summary> summary;
};

struct TestPair {
    TestCloud* x;
    TestCloud* y;
};

// Everything of a result but the count and p, from the clouds' summaries. `undefined` says when the pair has no test: a
// robust statistic that does not exist.
[[nodiscard]] TestResult observe(const TestPair& pair, const TestOptions& options);

// The value that splits are compared with: T, or t when the statistic is robust.
[[nodiscard]] double observed_value(const TestResult& result);

// As test_pairs(), on this backend. `keep`: later calls will test the same clouds again.
[[nodiscard]] std::vector<TestResult> run_tests(Backend& backend, std::span<const TestPair> pairs,
                                                const TestOptions& options, bool keep);

}  // namespace wordbreadth::engine
