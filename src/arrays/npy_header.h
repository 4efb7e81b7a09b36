// The header of an .npy array: magic, version, and a Python dict of type, order and shape.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>

#include "arrays/matrix.h"

namespace wordbreadth::arrays {

struct NpyHeader {
    Element type = Element::float32;
    Order order = Order::rows;
    Shape shape;
    std::uint64_t bytes = 0;  // of the header itself: the values start there
};

// Reads the header of versions 1.0, 2.0 and 3.0 and leaves `source` at the first value.
// Throws InputError when it is cut off or malformed, is past limits::npy_header_bytes or limits::array_rank, or
// announces another type than little-endian float16, float32 or float64.
[[nodiscard]] NpyHeader read_npy_header(base::Bytes& source);

}  // namespace wordbreadth::arrays
