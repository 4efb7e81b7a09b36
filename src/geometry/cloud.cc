#include "wordbreadth/cloud.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/vector_math.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth {
namespace {

// Rows closer than this to the first one are the same direction up to rounding.
constexpr double same_direction = 1e-12;
// A mean resultant length under this is a sum of rounding errors.
constexpr double no_direction = 1e-12;

void check_shape(const std::string& label, std::size_t values, std::size_t dimension) {
    if (dimension < 2 || dimension > limits::dimension)
        throw InputError(label + ": its vectors have " + std::to_string(dimension) + " dimensions; expected 2 to " +
                         std::to_string(limits::dimension));
    if (values % dimension != 0)
        throw InputError(label + ": " + std::to_string(values) + " values do not make whole rows of " +
                         std::to_string(dimension));
    if (values / dimension < 2)
        throw InputError(label + (values == 0 ? ": 0 rows" : ": 1 row") + "; breadth needs at least 2 occurrences");
}

void scale_to_unit_length(const std::string& label, std::size_t index, std::span<double> row) {
    // Dividing by the largest value first keeps the squares of very large or small rows in range. A power of two, so
    // that no value is rounded on the way.
    double largest = 0;
    for (const double value : row) {
        if (!std::isfinite(value))
            throw InputError(label + ": row " + std::to_string(index) + " holds " + std::to_string(value) +
                             "; every value must be finite");
        largest = std::max(largest, std::abs(value));
    }
    if (largest == 0)
        throw InputError(label + ": row " + std::to_string(index) + " is all zeros and has no direction; leave it out");
    const int exponent = std::ilogb(largest);
    for (double& value : row) value = std::scalbn(value, -exponent);
    const double length = geometry::norm(row);
    for (double& value : row) value /= length;
}

}  // namespace

Cloud::Cloud(std::string name, std::vector<double> values, std::size_t dimension, std::string origin)
    : name_(std::move(name)), origin_(std::move(origin)), dimension_(dimension), unit_rows_(std::move(values)) {
    check_shape(label(), unit_rows_.size(), dimension_);
    sum_.assign(dimension_, 0.0);
    for (std::size_t i = 0; i < size(); ++i) {
        const std::span<double> row_i{unit_rows_.data() + i * dimension_, dimension_};
        scale_to_unit_length(label(), i, row_i);
        geometry::add(sum_, row_i);
    }
    require_breadth();
}

void Cloud::require_breadth() const {
    if (geometry::norm(sum_) / static_cast<double>(size()) < no_direction)
        throw InputError(label() + ": its " + std::to_string(size()) +
                         " rows cancel out (r = 0), so it has no mean direction and no finite breadth");
    const auto differs_from_first = [this](std::size_t i) {
        double squared = 0;
        for (std::size_t k = 0; k < dimension_; ++k) squared += std::pow(row(i)[k] - row(0)[k], 2);
        return std::sqrt(squared) > same_direction;
    };
    for (std::size_t i = 1; i < size(); ++i)
        if (differs_from_first(i)) return;
    throw InputError(label() + ": all " + std::to_string(size()) +
                     " rows point the same way (r = 1), so it has no breadth; check for repeated occurrences");
}

std::string Cloud::label() const {
    return origin_.empty() ? name_ : name_ + " (" + origin_ + ")";
}

}  // namespace wordbreadth
