#include "permutation/distributions.h"

#include <cmath>
#include <initializer_list>

namespace wordbreadth::permutation {
namespace {

// The continued fraction of the incomplete beta function, by Lentz's method; it converges fast for
// x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
    constexpr double tiny = 1e-300;
    const auto away_from_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
    double c = 1;
    double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m < 1000; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step = 1;
        for (const double term : {even, odd}) {
            d = 1 / away_from_zero(1 + term * d);
            c = away_from_zero(1 + term / c);
            step = c * d;
            value *= step;
        }
        if (std::abs(step - 1) < 1e-16) break;
    }
    return value;
}

// std::lgamma writes to a global variable, which threads would share.
double log_gamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

// The regularised incomplete beta function.
double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front =
        std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

// By bisection on the distribution function: to the last bits, and called once a result at most.
template <class Cdf>
double quantile(double p, double low, double high, const Cdf& cdf) {
    for (int step = 0; step < 200 && low < high; ++step) {
        const double middle = (low + high) / 2;
        (cdf(middle) < p ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

double student_cdf(double t, double freedom) {
    const double tail = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
    return t > 0 ? 1 - tail : tail;
}

double normal_cdf(double x) {
    return std::erfc(-x / std::sqrt(2.0)) / 2;
}

double normal_quantile(double p) {
    return quantile(p, -40, 40, normal_cdf);
}

double student_quantile(double p, double freedom) {
    if (p > 0.5) return -student_quantile(1 - p, freedom);
    const auto cdf = [freedom](double t) { return student_cdf(t, freedom); };
    double low = -1;
    while (cdf(low) > p) low *= 2;
    return quantile(p, low, 0, cdf);
}

}  // namespace wordbreadth::permutation
