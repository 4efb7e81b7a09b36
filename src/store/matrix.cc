#include "store/matrix.h"

#include <algorithm>

namespace wordbreadth::store {

namespace {

// Some columns at a time, so that every row receives a whole cache line of neighbours instead of single values.
constexpr std::size_t columns_together = 8;

void read_columns(Bytes& source, Element type, Array& array) {
    std::vector<double> block;  // (columns of the block, rows)
    for (std::size_t first = 0; first < array.columns; first += columns_together) {
        const std::size_t width = std::min(columns_together, array.columns - first);
        block.resize(width * array.rows);
        read_values(source, type, block);
        for (std::size_t row = 0; row < array.rows; ++row) {
            double* to = array.values.data() + row * array.columns + first;
            for (std::size_t k = 0; k < width; ++k) to[k] = block[k * array.rows + row];
        }
    }
}

}  // namespace

Array read_matrix(Bytes& source, std::string name, Element type, Order order, const Shape& shape) {
    require_matrix(source.where(), shape);
    Array array{std::move(name), shape[0], shape[1], {}};
    array.values.resize(array.rows * array.columns);  // cannot wrap: both are within the limits
    if (order == Order::rows) {
        read_values(source, type, array.values);
    } else {
        read_columns(source, type, array);
    }
    return array;
}

}  // namespace wordbreadth::store
