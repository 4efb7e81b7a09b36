// From a checked shape to an Array: the one place where memory for values is taken.
#pragma once

#include "arrays/array.h"
#include "arrays/element.h"
#include "arrays/shape.h"

namespace wordbreadth::arrays {

enum class Order { rows, columns };  // what lies together in the file: a row (C) or a column (Fortran)

// Reads the array `name` of `shape` from where `source` stands.
// The caller has made sure that the source really holds that many values: the memory is taken in one go.
// Throws InputError unless the shape is that of a cloud (see require_matrix), or when the source cannot be read.
[[nodiscard]] Array read_matrix(base::Bytes& source, std::string name, Element type, Order order, const Shape& shape);

}  // namespace wordbreadth::arrays
