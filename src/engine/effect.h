// What is known of a pair before any split: sizes, breadths, effect, interval.
#pragma once

#include "geometry/concentration.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth::engine {

// A cloud's share in every test it stands in.
struct Summary {
    double r = 0;
    double log_v = 0;
    geometry::Debiased debiased;
};

[[nodiscard]] Summary summarise(const Cloud& cloud);

// Fills in everything but the count and p. `undefined` tells when the pair has no test: a robust statistic that does
// not exist.
[[nodiscard]] TestResult observe(const Cloud& x, const Cloud& y, const Summary& of_x, const Summary& of_y,
                                 const TestOptions& options);

// The value that splits are compared with: T, or t when the statistic is robust.
[[nodiscard]] double observed_value(const TestResult& result);

}  // namespace wordbreadth::engine
