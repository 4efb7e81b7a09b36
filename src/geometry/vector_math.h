// Float64 vector arithmetic in one fixed order of additions, whatever the instruction set: eight partial sums, the
// way a wide register would keep them, so that a result does not depend on the machine.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace wordbreadth::geometry {

inline double dot(std::span<const double> a, std::span<const double> b) {
    std::array<double, 8> partial{};
    const std::size_t whole = a.size() / 8 * 8;
    for (std::size_t i = 0; i < whole; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) partial[lane] += a[i + lane] * b[i + lane];
    for (std::size_t i = whole; i < a.size(); ++i) partial[i - whole] += a[i] * b[i];
    return ((partial[0] + partial[1]) + (partial[2] + partial[3])) +
           ((partial[4] + partial[5]) + (partial[6] + partial[7]));
}

inline double norm(std::span<const double> a) {
    return std::sqrt(dot(a, a));
}

// to += factor * from
inline void add_scaled(std::span<double> to, double factor, std::span<const double> from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

inline void add(std::span<double> to, std::span<const double> from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace wordbreadth::geometry
