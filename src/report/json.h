// Results as JSON, under the names in fields.h. NaN and infinities become null; bytes of a name that are not UTF-8
// become U+FFFD.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "report/cloud_breadth.h"
#include "wordbreadth/device.h"
#include "wordbreadth/test.h"

namespace wordbreadth::report {

// The null distribution is left out: it goes to a file of its own. `forced`: what differs between the stores of the two
// clouds; empty: nothing, or nothing that is known.
[[nodiscard]] nlohmann::ordered_json json_of(const TestResult& result, const std::string& forced);

// {"results": [...], "seconds": total}, each result with its p_adjusted (one value a result), in the order given.
[[nodiscard]] nlohmann::ordered_json json_of(std::span<const TestResult> results, std::span<const double> adjusted,
                                             double seconds);

// {"results": [...]}.
[[nodiscard]] nlohmann::ordered_json json_of(std::span<const CloudBreadth> clouds);

// {"devices": [...]}.
[[nodiscard]] nlohmann::ordered_json json_of(std::span<const Device> devices);

// null for what is no number.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

// Indented text, ended by a newline.
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& json);

}  // namespace wordbreadth::report
