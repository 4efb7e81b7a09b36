// A part of a long piece of work: its progress is a part of the whole's.
#pragma once

#include "wordbreadth/test.h"

namespace wordbreadth {

// The execution of a part that goes from `from` to `to`, shares of the whole.
[[nodiscard]] inline Execution stage(const Execution& whole, double from, double to) {
    Execution part = whole;
    if (whole.progress)
        part.progress = [progress = whole.progress, from, to](double done) { progress(from + (to - from) * done); };
    return part;
}

}  // namespace wordbreadth
