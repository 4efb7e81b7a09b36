// How long a test takes on each of the devices there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

struct DeviceTime {
    std::string device;
    std::string label;        // with what really ran
    double seconds = 0;       // of one test; NaN: it was not measured
    double seconds_each = 0;  // of a test among `together`
    std::size_t together = 0;
    std::string unavailable_because;  // empty when it was measured
};

struct DeviceTimes {
    std::size_t n = 0, m = 0, d = 0;
    std::uint64_t permutations = 0;
    unsigned threads = 0;
    std::vector<DeviceTime> devices;
};

// The aligned plain test of the first pair, the best of three runs, and of all pairs in one call (only where a test is
// fast). No test stops early. `pairs` are not empty.
[[nodiscard]] DeviceTimes device_times(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                       std::uint64_t permutations, const Execution& execution);

}  // namespace wordbreadth
