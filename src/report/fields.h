// A result as names and values, in order: an object in JSON, a line in TSV. Both are made from these, so that they have
// the same names; docs/files.md lists them. What has no value is null: NaN, infinities, a reason that is not needed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "report/cloud_breadth.h"
#include "wordbreadth/device.h"
#include "wordbreadth/test.h"

namespace wordbreadth::report {

using Fields = nlohmann::ordered_json;

// What a command knows of a test beyond its result; what is not set is no field.
struct TestContext {
    std::optional<double> adjusted;     // p_adjusted, of many tests
    std::optional<std::string> forced;  // what differs between the stores of the two clouds; empty: nothing
};

[[nodiscard]] Fields fields_of(const TestResult& result, const TestContext& context);
[[nodiscard]] Fields fields_of(const CloudBreadth& cloud);
[[nodiscard]] Fields fields_of(const Device& device);

// null for what is no finite number, and for a text that is empty.
[[nodiscard]] Fields number_or_null(double value);
[[nodiscard]] Fields text_or_null(const std::string& text);

// Adds the fields as a line of TSV, after a line of titles when it is the first: null is an empty field, a list has
// commas between its items.
void append(std::string& lines, const Fields& fields);

}  // namespace wordbreadth::report
