// The first screen of the CUDA engine by itself, for its share of what the matrix units can do.
#pragma once

#include "engine/backend.h"

namespace wordbreadth::bench {

struct ScreenTime {
    double milliseconds = 0;  // median
    int columns = 0;          // int8 columns that every mask is multiplied with, for one pair
};

// All splits of the job in one launch, its pairs prepared before.
[[nodiscard]] ScreenTime time_first_screen(const engine::Job& job);

}  // namespace wordbreadth::bench
