// The second screen: the whole of K in int8, product by product exact, with a bound for what rounding left out. Built
// for the pairs whose splits the first screen leaves undecided too often.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/cpu/kernels.h"
#include "engine/cpu/onednn.h"
#include "engine/cpu/pair.h"

namespace wordbreadth::engine::cpu {

class Dense {
  public:
    Dense(const NearMatrix& gram, std::size_t N, const MaskProduct& product, const Kernels& kernels);

    [[nodiscard]] const PackedMatrix& matrix() const { return *matrix_; }
    [[nodiscard]] double radius() const { return radius_; }  // of K less what the screen sees, in spectral norm

    // e = K q of one split from its row of products, (N).
    void e_of(const std::int32_t* products, const std::uint8_t* mask, double alpha, const Kernels& kernels,
              std::vector<double>& e) const {
        kernels.products_to_e(products, row_sums_.data(), diagonal_.data(), mask, step_, alpha, row_sums_.size(),
                              e.data());
    }

  private:
    double step_ = 0;  // value of one unit
    double radius_ = 0;
    std::vector<double> row_sums_;  // (N) in units
    std::vector<double> diagonal_;  // (N) kept apart: it is larger than the rest
    std::shared_ptr<const PackedMatrix> matrix_;
};

}  // namespace wordbreadth::engine::cpu
