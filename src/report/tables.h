// Results of many clouds, pairs or devices as text tables.
#pragma once

#include <span>
#include <string>

#include "report/cloud_breadth.h"
#include "report/style.h"
#include "wordbreadth/adjust.h"
#include "wordbreadth/device.h"
#include "wordbreadth/test.h"

namespace wordbreadth::report {

[[nodiscard]] std::string breadth_table(std::span<const CloudBreadth> clouds, const Style& style);

// Sorted by p, smallest first, pairs without a p-value last, and what these lack listed below. `adjusted` holds one
// value a result, and has no column when the method is none.
[[nodiscard]] std::string pairs_table(std::span<const TestResult> results, std::span<const double> adjusted,
                                      Adjustment method, const Style& style);

[[nodiscard]] std::string devices_table(std::span<const Device> devices, const Style& style);

}  // namespace wordbreadth::report
