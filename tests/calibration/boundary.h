// Pairs of clouds whose breadths have a known ratio: how often two one-sided tests call them equivalent.
//
// Where rows come in documents, those of one share half of their noise (document_clouds.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "calibration/document_clouds.h"
#include "wordbreadth/equivalence.h"

namespace wordbreadth::calibration {

struct Boundary {
    std::size_t n = 0, m = 0;
    std::size_t per_document = 1;  // rows
    Shape shape{{{4, 0.3}, {27, 0.7}}, 0};
};

struct BoundaryRates {
    std::uint64_t trials = 0;
    std::uint64_t at_the_margin = 0;  // called equivalent though the true ratio is the margin: wrongly
    std::uint64_t of_equals = 0;      // rightly
    [[nodiscard]] double wrong() const { return static_cast<double>(at_the_margin) / static_cast<double>(trials); }
    [[nodiscard]] double right() const { return static_cast<double>(of_equals) / static_cast<double>(trials); }
};

// Of tests at the level 0.05.
inline BoundaryRates rates_at(const Boundary& boundary, double ratio, std::uint64_t trials, std::uint64_t seed) {
    constexpr double r = 0.6, level = 0.05;
    std::size_t d = 1;
    for (const Band& band : boundary.shape.bands) d += band.axes;
    const double alike = boundary.per_document > 1 ? 0.5 : 0;
    const DocumentClouds narrow(boundary.shape, r, alike);
    const DocumentClouds broad(boundary.shape, broader_r(r, ratio, static_cast<double>(d)), alike);
    const auto draw = [&](const DocumentClouds& clouds, std::size_t rows, std::mt19937_64& generator) {
        return clouds.draw(documents(rows / boundary.per_document, boundary.per_document), false, generator);
    };
    std::mt19937_64 generator(seed);
    TestOptions options;
    // Equivalence rests on the effect alone, which plain has as well where a cloud of few rows cannot be told from
    // noise.
    options.statistic = boundary.per_document > 1 ? Statistic::blocks : Statistic::plain;
    options.permutations = 1;
    options.execution.threads = 1;
    BoundaryRates rates{.trials = trials};
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        const Cloud y = draw(narrow, boundary.m, generator);
        const auto is_equivalent = [&](const DocumentClouds& of_x) {
            const TestResult tested = test(draw(of_x, boundary.n, generator), y, options);
            return equivalence(tested, ratio, level).p <= level ? 1U : 0U;
        };
        rates.at_the_margin += is_equivalent(broad);
        rates.of_equals += is_equivalent(narrow);
    }
    return rates;
}

}  // namespace wordbreadth::calibration
