// The progress of a part of some work, as progress of the whole.
#pragma once

#include "wordbreadth/test.h"

namespace wordbreadth {

// `whole`, but for its progress: what goes from 0 to 1 there goes from `begin` to `end` here.
[[nodiscard]] inline Execution part_of(const Execution& whole, double begin, double end) {
    Execution part = whole;
    if (whole.progress)
        part.progress = [progress = whole.progress, begin, end](double done) {
            progress(begin + (end - begin) * done);
        };
    return part;
}

}  // namespace wordbreadth
