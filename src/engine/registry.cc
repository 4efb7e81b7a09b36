// The list of engines, and the choice among them.
#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include "base/strings.h"
#include "base/workers.h"
#include "cuda/gpu_names.h"
#include "engine/backend.h"
#include "engine/cuda/cuda.h"
#include "wordbreadth/error.h"

namespace wordbreadth::engine {
namespace {

Device reference_device() {
    return {"reference", "the paper's Algorithm 1 in float64, one split at a time", true, {}, {"float64"}, "float64"};
}

struct Entry {
    const char* name;
    bool automatic;        // may `auto` take it?
    Device (*describe)();  // looks at the machine; the first look at a GPU starts its driver: a tenth of a second
    std::unique_ptr<Backend> (*make)(const Execution&);
};

// In the order in which `auto` tries them. A new engine is one line here.
std::span<const Entry> entries() {
    static constexpr Entry all[] = {{"cuda", true, &cuda::device, &cuda::make},
                                    {"cpu", true, &cpu::device, &cpu::make},
                                    {"reference", false, &reference_device, &reference::make},
                                    {"cuda-paper", false, &cuda::paper_device, &cuda::make_paper}};
    return all;
}

std::string usable_here() {
    std::vector<std::string> names{"auto"};
    for (const Device& device : devices())
        if (device.available) names.push_back(device.name);
    return base::joined(names);
}

bool has(const Device& device, const std::string& instruction_set) {
    return instruction_set.empty() || std::ranges::count(device.instruction_sets, instruction_set) != 0;
}

// A forced instruction set also chooses the device: where there is a GPU, avx2 still means the CPU.
const Entry& first_usable(const std::string& instruction_set) {
    std::vector<std::string> sets;
    for (const Entry& entry : entries()) {
        if (!entry.automatic) continue;
        const Device device = entry.describe();
        if (device.available && has(device, instruction_set)) return entry;
        sets.insert(sets.end(), device.instruction_sets.begin(), device.instruction_sets.end());
    }
    throw InputError("instruction set '" + instruction_set +
                     "' cannot be used here; expected one of: " + base::joined(sets));
}

// Looks at no other device, so that a request for the CPU does not wait for a GPU's driver.
const Entry& named(const std::string& name, const std::string& instruction_set) {
    const std::optional<int> gpu = wordbreadth::cuda::gpu_named(name);
    const auto entry = std::ranges::find(entries(), wordbreadth::cuda::kind_of_device(name), &Entry::name);
    if (entry == entries().end()) throw InputError("unknown device '" + name + "'; expected one of: " + usable_here());
    const Device device = gpu ? cuda::device(*gpu) : entry->describe();
    if (!device.available)
        throw InputError("device '" + name + "' cannot be used: " + device.unavailable_because +
                         "; usable here: " + usable_here());
    if (!has(device, instruction_set))
        throw InputError("instruction set '" + instruction_set + "' cannot be used by device " + name +
                         " here; expected one of: " + base::joined(device.instruction_sets));
    return *entry;
}

}  // namespace

Backend::Backend(const Execution& execution) : workers_(thread_count(execution)) {}

std::shared_ptr<const void> Backend::download(const std::string& label, const void*, std::size_t) {
    throw InputError(label + ": its rows are on a GPU, which device " + this->label() + " cannot read");
}

void Backend::step_down(const Job& job, const FamilyPart& part, base::Monitor& monitor) {
    if (!host_) {
        Execution execution;
        execution.threads = static_cast<unsigned>(workers_.size());
        host_ = cpu::make(execution);
    }
    Job there = job;
    there.keep = false;  // nothing tells the host which clouds have ended
    host_->step_down(there, part, monitor);
}

std::unique_ptr<Backend> make_backend(const Execution& execution) {
    const Timing::Stage stage(execution.timing, "starting the device");
    const Entry& entry = execution.device == "auto" ? first_usable(execution.instruction_set)
                                                    : named(execution.device, execution.instruction_set);
    return entry.make(execution);
}

unsigned thread_count(const Execution& execution) {
    return base::thread_count(execution.threads);
}

}  // namespace wordbreadth::engine

namespace wordbreadth {

std::vector<Device> devices() {
    std::vector<Device> list;
    for (const engine::Entry& entry : engine::entries()) {
        list.push_back(entry.describe());
        if (list.back().name == "cuda") std::ranges::copy(engine::cuda::each_of_several(), std::back_inserter(list));
    }
    return list;
}

}  // namespace wordbreadth
