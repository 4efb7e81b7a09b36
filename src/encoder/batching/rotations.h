// The angles by which models with rotary positions turn queries and keys.
#pragma once

#include <cstddef>
#include <vector>

namespace wordbreadth::encoder::batching {

// Cosine and sine of every position's angles, for one base. Grows with the sentences that are seen.
class Rotations {
  public:
    Rotations(double base, std::size_t head_size);
    void reserve(std::size_t positions);
    [[nodiscard]] const float* cosines() const { return cosines_.data(); }  // (positions, head_size / 2)
    [[nodiscard]] const float* sines() const { return sines_.data(); }

  private:
    std::vector<float> frequencies_;  // (head_size / 2)
    std::vector<float> cosines_, sines_;
};

}  // namespace wordbreadth::encoder::batching
