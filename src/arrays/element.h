// The number types that a cloud may be stored in, and their conversion to float64.
#pragma once

#include <cstddef>
#include <span>

#include "base/bytes.h"

namespace wordbreadth::arrays {

enum class Element { float16, bfloat16, float32, float64 };  // all little-endian

[[nodiscard]] std::size_t bytes_of(Element type);

// Converts into.size() values of `type`. Every conversion is exact.
void widen(const std::byte* from, Element type, std::span<double> into);

// Reads into.size() values of `type` and converts them, a small piece at a time, so that the raw bytes are never all in
// memory. Every conversion is exact. Throws InputError when the source ends before.
void read_values(base::Bytes& source, Element type, std::span<double> into);

}  // namespace wordbreadth::arrays
