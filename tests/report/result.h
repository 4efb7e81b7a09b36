// A result to report, the same in every test.
#pragma once

#include <cmath>

#include "wordbreadth/test.h"

namespace wordbreadth::report {

inline TestResult example() {
    TestResult result;
    result.x = "bank";
    result.y = "river";
    result.n = 100;
    result.m = 1200;
    result.d = 384;
    result.r_x = 0.6;
    result.r_y = 0.7;
    result.v_x = 0.00312;
    result.v_y = 0.00248;
    result.T = std::log(0.00312 / 0.00248);
    result.effect = result.T;
    result.ratio = 0.00312 / 0.00248;
    result.standard_error = 0.0687;
    result.ci_low = std::log(1.1);
    result.ci_high = std::log(1.44);
    result.p = 8.0 / 20001;
    result.exceedances = 7;
    result.permutations = 20000;
    result.device = "cpu (avx512)";
    result.seconds = 0.12;
    return result;
}

inline TestResult undefined_example() {
    TestResult result = example();
    result.x = "flat";
    result.T = -std::numeric_limits<double>::infinity();
    result.effect = result.T;
    result.ratio = 0;
    result.p = std::nan("");
    result.standard_error = result.ci_low = result.ci_high = std::nan("");
    result.undefined = "flat: its rows cancel out";
    return result;
}

}  // namespace wordbreadth::report
