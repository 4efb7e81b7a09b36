// Results as tab-separated values: a line of titles, then one line a result, numbers at full precision.
// The titles are the names in fields.h. A value that there is none of (NaN, infinity, no tail estimate) is an empty
// field. In text, tab, newline, carriage return and backslash are written \t, \n, \r and \\.
#pragma once

#include <span>
#include <string>

#include "report/cloud_breadth.h"
#include "wordbreadth/device.h"
#include "wordbreadth/test.h"

namespace wordbreadth::report {

// `forced`: what differs between the stores of the two clouds; empty: nothing, or nothing that is known.
[[nodiscard]] std::string tsv_of(const TestResult& result, const std::string& forced);

// `adjusted`: one value a result.
[[nodiscard]] std::string tsv_of(std::span<const TestResult> results, std::span<const double> adjusted);
[[nodiscard]] std::string tsv_of(std::span<const CloudBreadth> clouds);
[[nodiscard]] std::string tsv_of(std::span<const Device> devices);

}  // namespace wordbreadth::report
