// The list of engines, and the choice among them.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "engine/backend.h"
#include "engine/cpu/cpu.h"
#include "engine/reference/reference.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth {
namespace {

struct Entry {
    Device device;
    std::unique_ptr<Backend> (*make)(const Execution&);
};

// In the order in which `auto` tries them. A new engine is one line here.
std::vector<Entry> entries() {
    std::vector<Entry> all;
    all.push_back({{"cuda", "NVIDIA GPU", false, "this build has no CUDA engine", {}, {}}, nullptr});
    all.push_back({cpu_device(), &make_cpu});
    all.push_back(
        {{"reference", "the paper's Algorithm 1 in float64, one split at a time", true, {}, {"float64"}, "float64"},
         &make_reference});
    return all;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

void require_instruction_set(const Device& device, const std::string& wanted) {
    if (wanted.empty() || std::ranges::count(device.instruction_sets, wanted) != 0) return;
    throw InputError("instruction set '" + wanted + "' cannot be used by device " + device.name +
                     " here; expected one of: " + joined(device.instruction_sets));
}

}  // namespace

std::vector<Device> devices() {
    std::vector<Device> list;
    for (Entry& entry : entries()) list.push_back(std::move(entry.device));
    return list;
}

std::unique_ptr<Backend> make_backend(const Execution& execution) {
    const std::vector<Entry> all = entries();
    std::vector<std::string> usable{"auto"};
    for (const Entry& entry : all)
        if (entry.device.available) usable.push_back(entry.device.name);
    for (const Entry& entry : all) {
        const bool asked_for = entry.device.name == execution.device;
        if (asked_for && !entry.device.available)
            throw InputError("device '" + execution.device + "' cannot be used: " + entry.device.unavailable_because +
                             "; usable here: " + joined(usable));
        if (!asked_for && !(execution.device == "auto" && entry.device.available)) continue;
        require_instruction_set(entry.device, execution.instruction_set);
        return entry.make(execution);
    }
    throw InputError("unknown device '" + execution.device + "'; expected one of: " + joined(usable));
}

unsigned thread_count(const Execution& execution) {
    if (execution.threads > limits::threads)
        throw InputError("threads = " + std::to_string(execution.threads) + "; expected 1 to " +
                         std::to_string(limits::threads));
    if (execution.threads != 0) return execution.threads;
    if (const char* wanted = std::getenv("OMP_NUM_THREADS")) {
        unsigned threads = 0;
        // OMP_NUM_THREADS may be a list, one number a nesting level; the first is ours.
        const auto [rest, error] = std::from_chars(wanted, wanted + std::strlen(wanted), threads);
        if (error == std::errc{} && threads >= 1 && threads <= limits::threads) return threads;
    }
    return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace wordbreadth
