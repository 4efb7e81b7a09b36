// What an engine is: something that counts, for many pairs at once, the splits that exceed. CPU, GPU and reference
// implement it; all of them give the same counts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "permutation/exceedance.h"
#include "permutation/splits.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/device.h"
#include "wordbreadth/test.h"

namespace wordbreadth::engine {

// One pair to test. The clouds outlive the job; one cloud may stand in many pairs.
struct PairTask {
    const Cloud* x;
    const Cloud* y;
    permutation::Exceedance exceeds;
};

// Pairs of equal sizes (n, m) and dimension, which therefore share their splits.
struct Job {
    std::span<const PairTask> pairs;
    Alignment align;
    Statistic statistic;
    permutation::Splits splits;
    std::uint64_t adaptive;  // stop a pair at this many exceedances; 0: never
};

class Backend {
  public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    // What results are marked with: the device and the instruction set that really runs.
    [[nodiscard]] virtual std::string label() const = 0;

    // One tally a pair, in the order of the pairs. Reports to `monitor` pairs x splits units of work in all, and stops
    // by throwing Cancelled when it says so.
    [[nodiscard]] virtual std::vector<permutation::Tally> count(const Job& job, base::Monitor& monitor) = 0;
};

// The backend that `execution` asks for. Throws InputError when its device or instruction set is unknown or cannot be
// used here, saying which can.
[[nodiscard]] std::unique_ptr<Backend> make_backend(const Execution& execution);

// The threads that `execution` asks for: its own number, else OMP_NUM_THREADS, else one a core.
[[nodiscard]] unsigned thread_count(const Execution& execution);

}  // namespace wordbreadth::engine
