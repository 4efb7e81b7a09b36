// Are these p-values uniform, as those of a true null hypothesis have to be?
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace wordbreadth {

// The one-sample test of Kolmogorov and Smirnov.
struct Uniformity {
    std::size_t n = 0;
    double distance = NAN;  // the largest one between the values' distribution and the uniform one
    double p = NAN;         // small: they are not uniform. NaN without values
};

// p is Kolmogorov's limit with Stephens' correction (1970), good to two digits from a handful of values on. NaN among
// the values are left out.
[[nodiscard]] Uniformity uniformity(std::vector<double> values);

}  // namespace wordbreadth
