// What an engine is: something that counts, for many pairs at once, the splits that exceed. CPU, GPU and reference
// implement it; all of them give the same counts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/workers.h"
#include "geometry/unit_rows.h"
#include "permutation/splits.h"
#include "permutation/step_down.h"
#include "wordbreadth/device.h"
#include "wordbreadth/test.h"

namespace wordbreadth::engine {

// One pair to test: clouds, or views of their blocks where those are permuted. They outlive the job; one may stand in
// many pairs.
struct PairTask {
    const geometry::UnitRows* x;
    const geometry::UnitRows* y;
    permutation::Exceedance exceeds;
    double scale = 1;  // of its statistic, within a family
};

// Pairs of equal sizes (n, m rows; blocks, where those are permuted) and dimension, which therefore share their splits.
struct Job {
    std::span<const PairTask> pairs;
    Alignment align;
    Statistic statistic;  // never automatic
    permutation::Splits splits;
    std::uint64_t adaptive;  // stop a pair at this many exceedances; 0: never
    bool keep = false;       // later jobs have the same clouds
};

// Where the pairs of a job stand in a family of tests: their ranks are `rank`, `rank` - 1, ... Split b of the job
// belongs to draw (b - 1 + shift) modulo the draws, of which there are as many as splits.
struct FamilyPart {
    permutation::StepDown& family;
    std::uint32_t rank;
    std::uint64_t shift;
};

class Backend {
  public:
    // Starts the threads that `execution` asks for.
    explicit Backend(const Execution& execution);
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    // What results are marked with: the device and the instruction set that really runs.
    [[nodiscard]] virtual std::string label() const = 0;

    // One tally per pair, in the order of the pairs. Reports to `monitor` pairs x splits units of work in all, and
    // stops by throwing Cancelled when it says so.
    [[nodiscard]] virtual std::vector<permutation::Tally> count(const Job& job, base::Monitor& monitor) = 0;

    // Adds the pairs of a job to their family, in their order. The job's `adaptive` and the pairs' `exceeds` are not
    // looked at. Reports and stops as count() does.
    //
    // Unless a backend has its own way, the engine cpu does it on the host. So the GPU has none: which splits of a pair
    // matter depends on the pairs before it.
    virtual void step_down(const Job& job, const FamilyPart& part, base::Monitor& monitor);

    // Drops what earlier jobs have left of a cloud, which is about to end.
    virtual void forget(const geometry::UnitRows& cloud) = 0;

    // What each cloud keeps of its rows in the device's memory, but for `download`. Nothing where the host has to look
    // itself: a row that has no direction, rows that are all alike or elsewhere, a backend that cannot tell.
    [[nodiscard]] virtual std::vector<std::optional<geometry::RemoteRows>> measure(std::span<const Rows> clouds) {
        return std::vector<std::optional<geometry::RemoteRows>>(clouds.size());
    }

    // A copy, on the host, of bytes in the device's memory. Throws InputError, beginning with `label`, where the
    // device has no memory of its own or the bytes are not in it.
    [[nodiscard]] virtual std::shared_ptr<const void> download(const std::string& label, const void* from,
                                                               std::size_t bytes);

    // Backends of further devices, GPUs beside this one, that count what they are given on a thread of their own and
    // give the same counts; none by default. They end with this one, which forgets clouds for them.
    [[nodiscard]] virtual std::size_t companions() const { return 0; }
    // One of them. The first call starts it, which takes a while, and does not wait: null until it is ready, and for
    // ever where its device cannot be started.
    [[nodiscard]] virtual Backend* companion(std::size_t) { return nullptr; }
    // Whether any has been asked for.
    [[nodiscard]] virtual bool has_company() const { return false; }

    // How long it has been at work that it may share.
    [[nodiscard]] double busy_seconds() const { return busy_seconds_; }
    void add_busy_seconds(double seconds) { busy_seconds_ += seconds; }

    [[nodiscard]] base::Workers& workers() { return workers_; }

  private:
    double busy_seconds_ = 0;
    base::Workers workers_;
    std::unique_ptr<Backend> host_;  // made when first needed
};

// The backend that `execution` asks for. Throws InputError when its device or instruction set is unknown or cannot be
// used here, saying which can.
[[nodiscard]] std::unique_ptr<Backend> make_backend(const Execution& execution);

// The threads that `execution` asks for: its own number, else OMP_NUM_THREADS, else one a core.
[[nodiscard]] unsigned thread_count(const Execution& execution);

// The engines that are always built; engine/cuda/cuda.h has the others.
//
// reference: the paper's Algorithm 1 as written, float64, one split at a time. Slow, simple, and right by inspection:
// the yardstick of every other engine. cpu: a cascade of certified screens, cheapest first, that ends in the same.
namespace reference {
[[nodiscard]] std::unique_ptr<Backend> make(const Execution& execution);
}
namespace cpu {
[[nodiscard]] Device device();
[[nodiscard]] std::unique_ptr<Backend> make(const Execution& execution);
}  // namespace cpu

}  // namespace wordbreadth::engine
