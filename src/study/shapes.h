// Simulated clouds of one true breadth and of different shapes.
//
// A row is a mean of length 1 plus noise at right angles to it, scaled to unit length. The noise is symmetric, so the
// expected row is r times the mean, r being the expected cosine to it, whatever the shape; the length of the noise is
// solved for from the r that is wanted. Equal r is equal breadth.
#pragma once

#include <cstddef>
#include <string>

#include "study/random_stream.h"
#include "wordbreadth/cloud.h"

namespace wordbreadth::study {

enum class Shape {
    round,      // noise of equal variance along all axes
    stretched,  // nine tenths of it along 8 axes, or half of them where there are fewer than 17
    two_modes,  // round about two means, each row about either at random
};

class ShapedClouds {
  public:
    // 0 < r < 1.
    ShapedClouds(Shape shape, double r, std::size_t dimension);

    // n rows whose mean lies along `axis`. Throws InputError as Cloud does.
    [[nodiscard]] Cloud draw(const std::string& name, std::size_t n, std::size_t axis, RandomStream& random) const;

  private:
    [[nodiscard]] double deviation(std::size_t noisy_axis) const;

    std::size_t dimension_;
    std::size_t few_axes_ = 0;
    double along_ = 1, aside_ = 0;  // a row's mean along the axis, and to either side of it
    double few_ = 0, many_ = 0;     // deviations of the noise along the first axes and along the others
};

}  // namespace wordbreadth::study
