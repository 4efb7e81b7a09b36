#include "wordbreadth/cloud.h"

#include <utility>

#include "geometry/blocks.h"
#include "geometry/unit_rows.h"
#include "geometry/vector_math.h"

namespace wordbreadth {

Cloud::Cloud(std::string name, std::vector<double> values, std::size_t dimension, std::string origin)
    : name_(std::move(name)), origin_(std::move(origin)), dimension_(dimension), unit_rows_(std::move(values)) {
    const std::string own_label = label();
    geometry::check_shape(own_label, unit_rows_.size(), dimension_);
    sum_.assign(dimension_, 0.0);
    for (std::size_t i = 0; i < size(); ++i) {
        const std::span<double> row_i{unit_rows_.data() + i * dimension_, dimension_};
        geometry::scale_to_unit_length(own_label, i, row_i);
        geometry::add(sum_, row_i);
    }
    geometry::require_breadth(*this);
}

void Cloud::set_blocks(std::span<const std::uint64_t> labels) {
    blocks_ = geometry::numbered(label(), labels, size());
}

void Cloud::set_blocks(std::span<const std::string> labels) {
    blocks_ = geometry::numbered(label(), labels, size());
}

std::string Cloud::label() const {
    return geometry::label_of(name_, origin_);
}

}  // namespace wordbreadth
