// What the benchmarks' programs share: the clock.
#pragma once

#include <chrono>

namespace wordbreadth::bench {

// Wall time of work().
template <typename Work>
double seconds_of(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace wordbreadth::bench
