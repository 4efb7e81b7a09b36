#include "permutation/step_down.h"

#include <algorithm>
#include <atomic>

namespace wordbreadth::permutation {

StepDown::StepDown(std::span<const double> scores, Alternative alternative, std::uint64_t draws)
    : scores_(scores.begin(), scores.end()),
      alternative_(alternative),
      attained_(static_cast<std::size_t>(draws), static_cast<std::uint32_t>(scores.size())),
      counts_(scores.size(), 0) {}

std::uint32_t StepDown::lowered(std::uint32_t attained, std::uint32_t rank, double scale, double statistic) const {
    if (attained == 0) return 0;
    const std::uint32_t last = std::min(rank, attained - 1);
    const std::uint32_t found = first_met(last, [&](std::uint32_t k) { return at(k, scale)(statistic); });
    return found <= last ? found : attained;
}

void StepDown::count(std::uint32_t rank, std::uint64_t draws) {
    std::atomic_ref(counts_[rank]).fetch_add(draws, std::memory_order_relaxed);
}

std::vector<double> StepDown::p(bool enumerated) const {
    std::vector<double> all;
    double floor = 0;
    for (const std::uint64_t count : counts_) {
        const Tally tally{count, draws(), false};
        floor = std::max(floor, p_value(tally, {.count = draws(), .enumerated = enumerated}));
        all.push_back(floor);
    }
    return all;
}

}  // namespace wordbreadth::permutation
