#include "clouds.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>

namespace wordbreadth::bench {
namespace {

constexpr double noise = 1.17;           // |noise| / |direction|, for r = 1 / sqrt(1 + noise^2) = 0.65
constexpr double cosine = 0.2;           // between the directions of two words
constexpr double breadth_spread = 0.05;  // of the log noise, times 1 / sqrt(rows): within the test's own error

using Random = std::mt19937_64;

std::vector<double> random_direction(std::size_t d, Random& random) {
    std::normal_distribution<double> normal;
    std::vector<double> direction(d);
    std::ranges::generate(direction, [&] { return normal(random); });
    const double norm = std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
    for (double& value : direction) value /= norm;
    return direction;
}

// Standard deviations along the principal axes, in an order of the word's own; their squares add up to 1.
std::vector<double> principal_axes(std::size_t d, Random& random) {
    std::vector<double> deviations(d);
    double total = 0;
    for (std::size_t k = 0; k < d; ++k) total += 1 / static_cast<double>(k + 1);
    for (std::size_t k = 0; k < d; ++k) deviations[k] = 1 / std::sqrt(static_cast<double>(k + 1) * total);
    std::ranges::shuffle(deviations, random);
    return deviations;
}

// An orthogonal map that spreads every axis over many coordinates: Walsh-Hadamard in blocks of the largest power of two
// that divides d. Noise along single coordinates would be unfair to whoever rounds coordinates.
void turn(std::span<double> row) {
    const std::size_t block = row.size() & (~row.size() + 1);
    for (std::size_t half = 1; half < block; half *= 2) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if ((i & half) != 0) continue;
            const double a = row[i];
            const double b = row[i + half];
            row[i] = a + b;
            row[i + half] = a - b;
        }
    }
    for (double& value : row) value /= std::sqrt(static_cast<double>(block));
}

class Words {
  public:
    Words(std::size_t d, std::uint64_t seed) : seed_(seed), shared_(d) {
        Random random(seed);
        shared_ = random_direction(d, random);
    }

    // Values are float32 at heart, as models give them, so that the files hold just what was timed.
    [[nodiscard]] Cloud make(std::size_t index, std::size_t rows) const {
        const std::size_t d = shared_.size();
        std::seed_seq seeds{seed_, static_cast<std::uint64_t>(index) + 1};
        Random random(seeds);
        std::normal_distribution<double> normal;
        const std::vector<double> own = random_direction(d, random);
        const std::vector<double> axes = principal_axes(d, random);
        const double scale = noise * std::exp(breadth_spread / std::sqrt(static_cast<double>(rows)) * normal(random));

        std::vector<double> values(rows * d);
        for (std::size_t i = 0; i < rows; ++i) {
            const std::span<double> row = std::span(values).subspan(i * d, d);
            for (std::size_t j = 0; j < d; ++j) row[j] = scale * axes[j] * normal(random);
            turn(row);
            for (std::size_t j = 0; j < d; ++j) {
                const double direction = std::sqrt(cosine) * shared_[j] + std::sqrt(1 - cosine) * own[j];
                row[j] = static_cast<float>(row[j] + direction);
            }
        }
        return {"word" + std::to_string(index), std::move(values), d};
    }

  private:
    std::uint64_t seed_;
    std::vector<double> shared_;  // the part of the direction that all words have in common
};

}  // namespace

std::vector<Cloud> make_clouds(const Shape& shape, std::size_t pairs, std::uint64_t seed) {
    const Words words(shape.d, seed);
    std::vector<Cloud> clouds;
    clouds.reserve(2 * pairs);
    for (std::size_t k = 0; k < pairs; ++k) {
        clouds.push_back(words.make(2 * k, shape.n));
        clouds.push_back(words.make(2 * k + 1, shape.m));
    }
    return clouds;
}

void write_rows(const Cloud& cloud, const std::string& path) {
    const std::vector<float> rows(cloud.unit_rows().begin(), cloud.unit_rows().end());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(rows.data()), static_cast<std::streamsize>(rows.size() * sizeof(float)));
    if (!file) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace wordbreadth::bench
