// Random numbers of one purpose: a pure function of a seed and the purpose's number, whatever was drawn elsewhere.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "permutation/philox.h"

namespace wordbreadth::study {

class RandomStream {
  public:
    RandomStream(std::uint64_t seed, std::uint64_t purpose) : seed_(seed), purpose_(purpose) {}

    // In (0, 1).
    double uniform() {
        if (left_ == 0) draw();
        return (static_cast<double>(words_[--left_]) + 0.5) / 4294967296.0;
    }

    // 0 .. count - 1.
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(uniform() * static_cast<double>(count)); }

    // Standard normal (Box and Muller).
    double normal() {
        if (has_spare_) {
            has_spare_ = false;
            return spare_;
        }
        const double radius = std::sqrt(-2 * std::log(uniform()));
        const double angle = 2 * std::numbers::pi * uniform();
        spare_ = radius * std::sin(angle);
        has_spare_ = true;
        return radius * std::cos(angle);
    }

  private:
    void draw() {
        words_ = permutation::philox({static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32),
                                      static_cast<std::uint32_t>(purpose_), static_cast<std::uint32_t>(purpose_ >> 32)},
                                     {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
        ++block_;
        left_ = words_.size();
    }

    std::uint64_t seed_, purpose_, block_ = 0;
    std::array<std::uint32_t, 4> words_{};
    std::size_t left_ = 0;
    double spare_ = 0;
    bool has_spare_ = false;
};

}  // namespace wordbreadth::study
