#include "study/experiment_parts.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/backend.h"
#include "study/many_tests.h"
#include "wordbreadth/device.h"

namespace wordbreadth::study {
namespace {

constexpr double patience = 0.1;  // seconds; a slower device is asked once, and for no more than one test

double seconds_of(std::span<const Cloud> clouds, std::span<const Pair> pairs, const TestOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    (void)test_pairs(clouds, pairs, options);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

DeviceTime time_of(const Device& device, std::span<const Cloud> clouds, std::span<const Pair> pairs,
                   TestOptions options) {
    DeviceTime time{device.name, device.name, NAN, NAN, 0, device.unavailable_because};
    if (!device.available) return time;
    options.execution.device = device.name;
    time.label = engine::make_backend(options.execution)->label();
    time.seconds = seconds_of(clouds, pairs.first(1), options);
    if (time.seconds > patience) return time;
    for (int again = 0; again < 2; ++again)
        time.seconds = std::min(time.seconds, seconds_of(clouds, pairs.first(1), options));
    time.together = pairs.size();
    time.seconds_each = seconds_of(clouds, pairs, options) / static_cast<double>(pairs.size());
    return time;
}

}  // namespace

DeviceTimes device_times(std::span<const Cloud> clouds, std::span<const Pair> pairs, std::uint64_t permutations,
                         const Execution& execution) {
    TestOptions options;
    options.permutations = permutations;
    options.execution = stage(execution, 0, 0);
    options.execution.instruction_set.clear();
    const Cloud& x = clouds[pairs.front().x];
    const Cloud& y = clouds[pairs.front().y];
    DeviceTimes times{x.size(), y.size(), x.dimension(), permutations, engine::thread_count(execution), {}};
    for (const Device& device : devices()) times.devices.push_back(time_of(device, clouds, pairs, options));
    return times;
}

}  // namespace wordbreadth::study
