#include <string>

#include "permutation/distributions.h"
#include "wordbreadth/error.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

Interval confidence_interval(const TestResult& result, double confidence) {
    if (!(confidence > 0 && confidence < 1))
        throw InputError("confidence = " + std::to_string(confidence) + "; expected a number between 0 and 1");
    if (!(result.standard_error > 0) || !(result.degrees_of_freedom > 0)) return {};
    const double reach =
        permutation::student_quantile(0.5 + confidence / 2, result.degrees_of_freedom) * result.standard_error;
    return {result.effect - reach, result.effect + reach};
}

}  // namespace wordbreadth
