// Clouds whose rows are in the device's memory already: read there, as the host would.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "cuda/runtime.h"
#include "geometry/unit_rows.h"

namespace wordbreadth::engine::cuda {

// A cloud as kernels take it, with places for what is made of it.
struct RemoteCloud {
    const void* rows;
    Element element;
    int n, d;
    double* unit;                // (n, d) unit rows
    geometry::RowScale* scales;  // (n)
    // Null where only unit rows are made:
    unsigned* findings;  // (1)
    double* sum;         // (d)
    double* products;    // (n)
};
[[nodiscard]] RemoteCloud remote_cloud(const Rows& rows, double* unit, geometry::RowScale* scales);

// For Backend::measure. Its memory is kept from call to call.
class Measuring {
  public:
    // Waits for all that is under way on the device, which may be what writes the rows.
    [[nodiscard]] std::vector<std::optional<geometry::RemoteRows>> measure(std::span<const Rows> clouds,
                                                                           const wordbreadth::cuda::Stream& stream);

  private:
    void reserve(std::span<const Rows> clouds);
    void start(std::span<const Rows> clouds, const wordbreadth::cuda::Stream& stream);

    wordbreadth::cuda::Buffer<double> unit_;  // unit rows of the clouds that are measured at a time
    wordbreadth::cuda::Buffer<std::byte> there_;
    wordbreadth::cuda::Pinned<std::byte> here_;  // a copy of it
    std::size_t bytes_ = 0;                      // of both that are in use
    std::vector<RemoteCloud> list_;
    wordbreadth::cuda::Buffer<RemoteCloud> clouds_;  // a copy of it
};

// The unit rows of clouds that were measured. `there` has room for the list, which must stay until it is copied.
void write_unit_rows(std::span<const RemoteCloud> clouds, RemoteCloud* there, const wordbreadth::cuda::Stream& stream);

}  // namespace wordbreadth::engine::cuda
