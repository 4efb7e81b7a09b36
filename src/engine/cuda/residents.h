// The clouds that are on the device.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/cuda/runtime.h"
#include "engine/cuda/staging.h"
#include "geometry/unit_rows.h"

namespace wordbreadth::engine::cuda {

struct Resident {
    const float* rows = nullptr;         // (n, dp) rounded, zeros after the last column
    const double* full = nullptr;        // (n, d)
    const double* sum = nullptr;         // (d)
    const double* counts = nullptr;      // of blocks: (n) their numbers of rows,
    const double* squares = nullptr;     // (n) and squared lengths
    double length = 0;                   // of the sum
    double rounding = 0;                 // largest distance of a rounded row from the full one
    std::shared_ptr<const void> upload;  // their memory, that of all clouds uploaded together
};

// Columns of a float32 row on the device.
[[nodiscard]] int padded_dimension(std::size_t d);

class Residents {
  public:
    using Clouds = std::span<const geometry::UnitRows* const>;

    explicit Residents(base::Workers& workers) : staging_(workers) {}

    // Uploads those of the clouds that are not there yet. When there is no room, all others are dropped; throws
    // OutOfMemory when that is not enough either.
    void require(Clouds clouds, const Stream& stream);

    [[nodiscard]] const Resident& at(const geometry::UnitRows* cloud) const { return residents_.at(cloud); }

    void forget(const geometry::UnitRows& cloud) { residents_.erase(&cloud); }
    void clear() { residents_.clear(); }

  private:
    void upload(Clouds clouds, const Stream& stream);

    Staging staging_;
    std::map<const geometry::UnitRows*, Resident> residents_;
};

}  // namespace wordbreadth::engine::cuda
