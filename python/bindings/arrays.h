// Clouds that Python holds, as arrays of any library that speaks DLPack or the buffer protocol.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "wordbreadth/cloud.h"

namespace wordbreadth::python {

// The block of each row, (n); none: None.
using Labels =
    std::optional<nanobind::ndarray<const std::uint64_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>>;

struct Array {
    std::string name, origin;
    Rows rows;                          // with the blocks
    int gpu = 0;                        // whose memory they are in, where they are on one
    std::shared_ptr<const void> owner;  // keeps the rows; may go from any thread
    Labels labels;                      // keeps the blocks
};

// The rows where they are. `bf16`: the elements are 16-bit integers that stand for bfloat16. Raises TypeError, naming
// the cloud, for what is no array or has other elements; ValueError for another number of axes, or rows that do not lie
// side by side. Called with the GIL.
[[nodiscard]] Array array_of(nanobind::handle object, std::string name, std::string origin, bool bf16, Labels labels);

}  // namespace wordbreadth::python
