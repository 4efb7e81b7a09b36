// Clouds whose rows are in the device's memory already: read there, as the host would.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "cuda/runtime.h"
#include "geometry/unit_rows.h"

namespace wordbreadth::engine::cuda {

// For Backend::measure. Waits for all that is under way on the device, which may be what writes the rows. `scratch` is
// sized as needed.
[[nodiscard]] std::vector<std::optional<geometry::RemoteRows>> measure_rows(
    std::span<const Rows> clouds, wordbreadth::cuda::Buffer<std::byte>& scratch,
    const wordbreadth::cuda::Stream& stream);

// The unit rows, (n, d), of rows that were measured.
void write_unit_rows(const Rows& rows, double* to, const wordbreadth::cuda::Stream& stream);

}  // namespace wordbreadth::engine::cuda
