// Clouds whose number of modes is known: one for a stretched or heavy-tailed cloud, or several of one shape.
//
// Each mode is a cloud of nulls.h around a mean of its own. Means have the same angle between any two of them; the axes
// in which they differ are at random to those along which the modes are stretched. Rows of one document may share a
// part of their noise.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "calibration/document_clouds.h"
#include "calibration/nulls.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/modes.h"

namespace wordbreadth::calibration {

// Rows that belong together. A share of the noise's variance is the same in all rows of a document.
struct Documents {
    DocumentSizes sizes{};  // together n. None: the cloud has no documents
    double shared = 0;
    bool mixed = false;  // every document has rows of every mode; else one mode after the other fills them
};

struct MixedCloud {
    const char* name;
    std::size_t n;
    Shape shape;  // of each mode; its axes and one more are the dimensions
    double r;     // of each mode
    std::vector<double> shares;
    double angle = 0;  // between means, in degrees
    Documents documents{};

    [[nodiscard]] std::size_t modes() const { return shares.size(); }
};

// `modes` unit vectors at right angles to each other and to the first axis.
inline std::vector<std::vector<double>> random_axes(std::size_t modes, std::size_t d, std::mt19937_64& generator) {
    std::normal_distribution<double> normal;
    std::vector<std::vector<double>> axes;
    for (std::size_t j = 0; j < modes; ++j) {
        std::vector<double> axis(d, 0.0);
        for (std::size_t c = 1; c < d; ++c) axis[c] = normal(generator);
        for (const auto& other : axes) {
            double along = 0;
            for (std::size_t c = 0; c < d; ++c) along += axis[c] * other[c];
            for (std::size_t c = 0; c < d; ++c) axis[c] -= along * other[c];
        }
        double squares = 0;
        for (const double value : axis) squares += value * value;
        for (double& value : axis) value /= std::sqrt(squares);
        axes.push_back(std::move(axis));
    }
    return axes;
}

// The document of each row.
inline std::vector<std::uint64_t> labels_of(const Documents& documents, std::mt19937_64& generator) {
    std::vector<std::uint64_t> labels = labels_of(documents.sizes);
    if (documents.mixed) std::ranges::shuffle(labels, generator);
    return labels;
}

// `null` is of the cloud's shape and r: its rows lie around the first axis, with a component of 1 along it, which is
// replaced by the mode's mean.
inline Cloud draw(const MixedCloud& cloud, const Null& null, const std::string& name, std::mt19937_64& generator) {
    const std::size_t d = null.dimension(), k = cloud.modes();
    const std::vector<std::uint64_t> labels = labels_of(cloud.documents, generator);
    std::vector<double> values =
        labels.empty() ? null.draw(cloud.n, 0, generator) : null.draw(labels, cloud.documents.shared, generator);
    const auto axes = random_axes(k, d, generator);
    const double cosine = k > 1 ? std::cos(cloud.angle * std::numbers::pi / 180) : 1;  // of two means
    double before = 0;
    std::size_t row = 0;
    for (std::size_t j = 0; j < k; ++j) {
        before += cloud.shares[j];
        for (; row < static_cast<std::size_t>(std::lround(before * static_cast<double>(cloud.n))); ++row) {
            values[row * d] = std::sqrt(cosine);
            for (std::size_t c = 0; c < d; ++c) values[row * d + c] += std::sqrt(1 - cosine) * axes[j][c];
        }
    }
    Cloud drawn(name, std::move(values), d);
    if (!labels.empty()) drawn.set_blocks(labels);
    return drawn;
}

inline std::vector<Cloud> clouds_of(const MixedCloud& mixed, std::size_t count) {
    const Null null(mixed.shape, mixed.r);
    std::mt19937_64 generator(3);
    std::vector<Cloud> clouds;
    for (std::size_t i = 0; i < count; ++i)
        clouds.push_back(draw(mixed, null, "cloud " + std::to_string(i), generator));
    return clouds;
}

// Of `count` clouds, those with the right number of modes.
inline std::size_t right(const MixedCloud& mixed, std::size_t count) {
    return static_cast<std::size_t>(std::ranges::count_if(
        modes(clouds_of(mixed, count)), [&](const Modes& found) { return found.modes.size() == mixed.modes(); }));
}

}  // namespace wordbreadth::calibration
