// Seeded clouds for the tests of the whole method.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "wordbreadth/cloud.h"

namespace wordbreadth::testing {

struct Shape {
    std::size_t n = 20;
    std::size_t d = 12;
    double noise = 1;      // length of the noise beside a mean of length 1
    double tail = 0;       // spread of the noise's logarithm: 0 is Gaussian, 0.6 heavy-tailed
    std::size_t axis = 0;  // where the mean points
};

// Values of a mean along one axis plus noise, (n, d). Before normalisation: rows have lengths of their own.
inline std::vector<double> random_values(const Shape& shape, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values(shape.n * shape.d);
    for (std::size_t i = 0; i < shape.n; ++i) {
        const double length = shape.noise * std::exp(shape.tail * normal(generator));
        double* row = values.data() + i * shape.d;
        for (std::size_t k = 0; k < shape.d; ++k)
            row[k] = length * normal(generator) / std::sqrt(static_cast<double>(shape.d));
        row[shape.axis] += 1;
    }
    return values;
}

inline Cloud random_cloud(std::string name, const Shape& shape, std::uint64_t seed) {
    return {std::move(name), random_values(shape, seed), shape.d};
}

// A random d x d rotation or reflection: Gaussian columns made orthonormal, each against the ones before it twice.
inline std::vector<double> random_rotation(std::size_t d, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    std::vector<double> rows(d * d);
    for (double& value : rows) value = normal(generator);
    const auto dot = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (std::size_t k = 0; k < d; ++k) sum += rows[a * d + k] * rows[b * d + k];
        return sum;
    };
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < 2 * i; ++j) {
            const double along = dot(i, j % i);
            for (std::size_t k = 0; k < d; ++k) rows[i * d + k] -= along * rows[(j % i) * d + k];
        }
        const double length = std::sqrt(dot(i, i));
        for (std::size_t k = 0; k < d; ++k) rows[i * d + k] /= length;
    }
    return rows;
}

inline std::vector<double> rotated(const std::vector<double>& values, const std::vector<double>& rotation,
                                   std::size_t d) {
    std::vector<double> result(values.size(), 0.0);
    for (std::size_t i = 0; i < values.size() / d; ++i)
        for (std::size_t k = 0; k < d; ++k)
            for (std::size_t l = 0; l < d; ++l) result[i * d + k] += rotation[k * d + l] * values[i * d + l];
    return result;
}

}  // namespace wordbreadth::testing
