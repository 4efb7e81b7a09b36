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

// A cloud that has no breadth has a row too, and the reason below.
[[nodiscard]] std::string breadth_table(std::span<const CloudBreadth> clouds, const Style& style);

// The first `shown` of the results, sorted by p, smallest first, pairs without a p-value last; below it what these
// lack. `adjusted` holds one value a result, and has no column when the method is none.
[[nodiscard]] std::string pairs_table(std::span<const TestResult> results, std::span<const double> adjusted,
                                      Adjustment method, std::size_t shown, const Style& style);

[[nodiscard]] std::string devices_table(std::span<const Device> devices, const Style& style);

}  // namespace wordbreadth::report
