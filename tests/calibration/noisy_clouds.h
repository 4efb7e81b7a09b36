// Clouds about random directions: Gaussian noise along all axes, a part of it shared by the rows of a document. Equal
// noise is equal breadth.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "calibration/document_clouds.h"
#include "wordbreadth/cloud.h"

namespace wordbreadth::calibration {

// Standard deviations along an axis, where the mean has the length sqrt(dimension).
struct Noise {
    double of_document, own;
};

class NoisyClouds {
  public:
    NoisyClouds(std::uint64_t seed, std::size_t dimension) : dimension_(dimension), random_(seed) {}

    // One cloud with documents of these numbers of rows.
    [[nodiscard]] Cloud cloud(const std::string& name, const DocumentSizes& rows, const Noise& noise) {
        const std::vector<double> mean = direction();
        std::vector<double> values;
        for (const std::size_t size : rows) {
            const std::vector<double> shift = vector(noise.of_document);
            for (std::size_t i = 0; i < size; ++i) {
                const std::vector<double> own = vector(noise.own);
                for (std::size_t k = 0; k < dimension_; ++k) values.push_back(mean[k] + shift[k] + own[k]);
            }
        }
        Cloud made(name, std::move(values), dimension_);
        made.set_blocks(labels_of(rows));
        return made;
    }

    // One whose rows are independent, each with noise of its own size.
    [[nodiscard]] Cloud cloud(const std::string& name, const std::vector<double>& noise_by_row) {
        const std::vector<double> mean = direction();
        std::vector<double> values;
        for (const double of_row : noise_by_row) {
            const std::vector<double> own = vector(of_row);
            for (std::size_t k = 0; k < dimension_; ++k) values.push_back(mean[k] + own[k]);
        }
        return {name, std::move(values), dimension_};
    }

    [[nodiscard]] double normal() { return normal_(random_); }

  private:
    std::vector<double> vector(double length) {
        std::vector<double> values;
        for (std::size_t k = 0; k < dimension_; ++k) values.push_back(length * normal());
        return values;
    }

    std::vector<double> direction() {
        std::vector<double> values = vector(1);
        double squares = 0;
        for (const double value : values) squares += value * value;
        for (double& value : values) value *= std::sqrt(static_cast<double>(dimension_) / squares);
        return values;
    }

    std::size_t dimension_;
    std::mt19937_64 random_;
    std::normal_distribution<double> normal_;
};

}  // namespace wordbreadth::calibration
