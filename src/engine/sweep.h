// Going through the splits of a job in blocks, with threads, and stopping pairs early where the adaptive rule asks
// for it. How a block is decided is up to the backend; the tallies do not depend on blocks or threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/workers.h"
#include "engine/backend.h"

namespace wordbreadth::engine {

struct Block {
    std::uint64_t first;  // number of its first split, from 1
    std::size_t size;     // splits in it
};

// Decides a block for the `pairs` named by index: for each of them calls `report(pair, flags)`, once, with
// flags[i] != 0 when split first + i exceeds. Runs on several threads at once, each with its own `worker` number.
using Report = std::function<void(std::size_t pair, std::span<const std::uint8_t> flags)>;
using DecideBlock =
    std::function<void(const Block&, std::span<const std::size_t> pairs, std::size_t worker, const Report&)>;

// Takes the pairs of a job, in their order, through a block of splits: for each of them lowers `attained`, one rank per
// split, where the pair's statistic lets it (permutation::StepDown::lowered), then calls `added(pair)`. Runs on several
// threads at once.
using Added = std::function<void(std::size_t pair)>;
using LowerBlock =
    std::function<void(const Block&, std::span<std::uint32_t> attained, std::size_t worker, const Added&)>;

void step_down(const Job& job, const FamilyPart& part, std::size_t block_size, base::Workers& workers,
               base::Monitor& monitor, const LowerBlock& lower);

[[nodiscard]] std::vector<permutation::Tally> sweep(const Job& job, std::size_t block_size, base::Workers& workers,
                                                    base::Monitor& monitor, const DecideBlock& decide);

}  // namespace wordbreadth::engine
