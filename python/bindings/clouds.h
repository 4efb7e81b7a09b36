// Options of a test, and clouds, as Python passes them.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>
#include <string>

#include "bindings/arrays.h"
#include "bindings/calls.h"
#include "bindings/results.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth::python {

struct Options {
    TestOptions test;
    std::optional<double> equivalence;  // within which ratio
    nanobind::object progress;          // None, or what is called with the share done

    [[nodiscard]] TestOptions watched_by(const Watch& watch) const;
    [[nodiscard]] Tested tested(TestResult result) const;
};

// Runs the tests of many pairs, and adjusts their p.
[[nodiscard]] TestedMany test_many(const Options& options, const std::string& adjustment,
                                   const std::function<TestResults(const TestOptions&)>& test);

// The cloud of an array on the host.
[[nodiscard]] Cloud cloud_of(const Array& array);

}  // namespace wordbreadth::python
