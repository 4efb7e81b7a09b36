// Matrices of a file: as they are read, which is the one place where memory for values is taken, and as they are
// written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "arrays/array_file.h"
#include "arrays/element.h"
#include "arrays/shape.h"

namespace wordbreadth::arrays {

enum class Order { rows, columns };  // what lies together in the file: a row (C) or a column (Fortran)

// Reads the array `name` of `shape` from where `source` stands.
// The caller has made sure that the source really holds that many values: the memory is taken in one go.
// Throws InputError unless the shape is that of a cloud (see require_matrix), or when the source cannot be read.
[[nodiscard]] Array read_matrix(base::Bytes& source, std::string name, Element type, Order order, const Shape& shape);

// A float32 matrix to be written.
struct MatrixShape {
    std::string name;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};

// The values of a matrix, by its index; asked for once each, in order. They must stay until the next is asked for.
using MatrixValues = std::function<std::span<const float>(std::size_t matrix)>;

}  // namespace wordbreadth::arrays
