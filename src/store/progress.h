// The progress of a job, from the states of its parts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "store/part_state.h"
#include "wordbreadth/progress.h"

namespace wordbreadth::store {

// The units of all of a part's work.
using SizeOfPart = std::function<std::uint64_t(const Part&)>;

// Without sizes, every part began with nothing done. Where the job was divided into another number of parts before, of
// the division that more parts have begun.
[[nodiscard]] JobProgress progress_of(const std::vector<PartState>& states, const std::string& unit,
                                      const SizeOfPart& size_of = {});

}  // namespace wordbreadth::store
