// The clouds that are on the device.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "engine/cuda/runtime.h"
#include "engine/cuda/staging.h"
#include "wordbreadth/cloud.h"

namespace wordbreadth::engine::cuda {

struct Resident {
    const float* rows = nullptr;   // (n, dp) rounded, zeros after the last column
    const double* full = nullptr;  // (n, d)
    const double* sum = nullptr;   // (d)
    double length = 0;             // of the sum
    double rounding = 0;           // largest distance of a rounded row from the full one
};

// Columns of a float32 row on the device.
[[nodiscard]] int padded_dimension(std::size_t d);

class Residents {
  public:
    explicit Residents(base::Workers& workers) : staging_(workers) {}

    // Uploads those of the clouds that are not there yet. When there is no room, all others make place; throws
    // OutOfMemory when that is not enough either.
    void require(std::span<const Cloud* const> clouds, const Stream& stream);

    [[nodiscard]] const Resident& at(const Cloud* cloud) const { return residents_.at(cloud); }

    void clear();

  private:
    void upload(std::span<const Cloud* const> clouds, const Stream& stream);

    Staging staging_;
    std::map<const Cloud*, Resident> residents_;
    std::vector<Buffer<double>> full_;
    std::vector<Buffer<float>> rounded_;
};

}  // namespace wordbreadth::engine::cuda
