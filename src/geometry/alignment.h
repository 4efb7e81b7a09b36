// The Householder reflection that turns one cloud's mean direction onto another's.
#pragma once

#include <vector>

#include "geometry/unit_rows.h"
#include "wordbreadth/test.h"

namespace wordbreadth::geometry {

// The unit vector u (d) of the reflection X' = X - 2 (X u) u^T that takes x's mean direction to y's. Empty when
// nothing is to be turned: the directions are equal, or `align` is none.
[[nodiscard]] std::vector<double> mirror(const UnitRows& x, const UnitRows& y, Alignment align);

// x's rows reflected by u (unchanged for an empty u), then y's: (n + m, d).
[[nodiscard]] std::vector<double> pooled_rows(const UnitRows& x, const UnitRows& y, const std::vector<double>& u);

}  // namespace wordbreadth::geometry
