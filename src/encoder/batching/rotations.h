// The angles by which models with rotary positions turn queries and keys.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace wordbreadth::encoder::batching {

// Cosine and sine of every position's angles, for one base. Grows with the sentences that are seen.
class Rotations {
  public:
    // In float32 as transformers does it: at far positions the rounding of a frequency shows.
    Rotations(double base, std::size_t head_size) {
        for (std::size_t i = 0; i < head_size / 2; ++i) {
            const float exponent = static_cast<float>(2 * i) / static_cast<float>(head_size);
            frequencies_.push_back(1.0F / std::pow(static_cast<float>(base), exponent));
        }
    }

    void reserve(std::size_t positions) {
        for (std::size_t position = cosines_.size() / frequencies_.size(); position < positions; ++position) {
            for (const float frequency : frequencies_) {
                const double angle = static_cast<float>(position) * frequency;
                cosines_.push_back(static_cast<float>(std::cos(angle)));
                sines_.push_back(static_cast<float>(std::sin(angle)));
            }
        }
    }

    [[nodiscard]] const float* cosines() const { return cosines_.data(); }  // (positions, head_size / 2)
    [[nodiscard]] const float* sines() const { return sines_.data(); }

  private:
    std::vector<float> frequencies_;  // (head_size / 2)
    std::vector<float> cosines_, sines_;
};

}  // namespace wordbreadth::encoder::batching
