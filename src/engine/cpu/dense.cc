#include "engine/cpu/dense.h"

#include <algorithm>
#include <cmath>

#include "engine/cpu/spectrum.h"

namespace wordbreadth::engine::cpu {

Dense::Dense(const NearMatrix& gram, std::size_t N, const MaskProduct& product, const Kernels& kernels)
    : row_sums_(N, 0.0), diagonal_(N) {
    float largest = 0;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j)
            if (i != j) largest = std::max(largest, std::abs(gram.values[i * N + j]));
    step_ = largest > 0 ? largest / 127.0 : 1.0;
    std::vector<std::int8_t> int8(N * N);
    std::vector<float> rest(N * N);
    const auto step = static_cast<float>(step_);
    step_ = step;
    for (std::size_t i = 0; i < N; ++i) {
        diagonal_[i] = gram.values[i * N + i];
        row_sums_[i] = kernels.round_row(&gram.values[i * N], step, N, &int8[i * N], &rest[i * N]);
        row_sums_[i] -= int8[i * N + i];
        int8[i * N + i] = 0;
        rest[i * N + i] = 0;
    }
    matrix_ = product.pack(int8.data());
    const Range range = eigenvalue_range(rest, N, kernels);
    for (double& value : diagonal_) value += (range.high + range.low) / 2;
    const double rounding = static_cast<double>(N) * 2 * float_rounding * largest;
    radius_ = (range.high - range.low) / 2 + gram.error + rounding;
}

}  // namespace wordbreadth::engine::cpu
