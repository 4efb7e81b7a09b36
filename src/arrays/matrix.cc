#include "arrays/matrix.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/failure.h"

namespace wordbreadth::arrays {

namespace {

// Some columns at a time, so that every row receives a whole cache line of neighbours instead of single values.
constexpr std::size_t columns_together = 8;

void read_columns(base::Bytes& source, Element type, Array& array) {
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

// A real file may still be too large for the machine: that is for the user to put right, like everything else here.
std::vector<double> room_for(const std::string& where, std::size_t values) {
    try {
        return std::vector<double>(values);
    } catch (const std::bad_alloc&) {
        base::fail(where,
                   "needs " + std::to_string(values * sizeof(double)) + " bytes of memory, more than can be had here");
    }
}

}  // namespace

Array read_matrix(base::Bytes& source, std::string name, Element type, Order order, const Shape& shape) {
    require_matrix(source.where(), shape);
    Array array{std::move(name), shape[0], shape[1], {}};
    array.values = room_for(source.where(), array.rows * array.columns);  // cannot wrap: both are within the limits
    if (order == Order::rows) {
        read_values(source, type, array.values);
    } else {
        read_columns(source, type, array);
    }
    return array;
}

}  // namespace wordbreadth::arrays
