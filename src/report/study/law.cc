#include "report/study/law.h"

#include <cmath>

#include "report/number.h"

namespace wordbreadth::report {
namespace {

// Without what cannot be told of so few points.
std::string fit_text(const LawFit& fit) {
    if (std::isnan(fit.slope)) return "no slope";
    std::string text = "slope " + fixed(fit.slope, 3);
    if (!std::isnan(fit.slope_standard_error)) text += " (s.e. " + fixed(fit.slope_standard_error, 3) + ")";
    if (!std::isnan(fit.r_squared)) text += ", R² " + fixed(fit.r_squared, 2);
    return text;
}

}  // namespace

std::string law_sentence(const FrequencyLaw& law) {
    std::string text = "log v on log frequency: " + fit_text(law.of_bins) + " over " + count(law.bins.size()) +
                       (law.bins.size() == 1 ? " bin; " : " bins; ") + fit_text(law.of_words) + " over single words.";
    if (law.bins.size() < least_points_of_a_fit)
        text += " R² is not available for the bins: a line fits one or two points whatever they are; at least " +
                count(least_points_of_a_fit) + " bins of " + count(law.bin_size) + " words are needed.";
    return text;
}

}  // namespace wordbreadth::report
