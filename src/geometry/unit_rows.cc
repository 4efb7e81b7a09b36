#include "geometry/unit_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "arrays/array_file.h"
#include "geometry/tolerances.h"
#include "geometry/vector_math.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::geometry {
namespace {

arrays::Element stored(Element element) {
    switch (element) {
        case Element::f32:
            return arrays::Element::float32;
        case Element::f64:
            return arrays::Element::float64;
        case Element::f16:
            return arrays::Element::float16;
        case Element::bf16:
            return arrays::Element::bfloat16;
    }
    throw InputError("element type " + std::to_string(static_cast<int>(element)) + " is unknown");
}

}  // namespace

std::string label_of(const std::string& name, const std::string& origin) {
    return origin.empty() ? name : name + " (" + origin + ")";
}

std::size_t bytes_of(Element element) {
    return arrays::bytes_of(stored(element));
}

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

namespace {

// value * 2^-exponent, rounded once. A product is that as long as the power is a normal number.
void scale(std::span<double> row, int exponent) {
    if (std::abs(exponent) > 1000) {
        for (double& value : row) value = std::scalbn(value, -exponent);
        return;
    }
    const double power = std::ldexp(1.0, -exponent);
    for (double& value : row) value *= power;
}

void divide(std::span<double> row, double length) {
    for (double& value : row) value /= length;
}

// Labels as numbers from 0, in the order of first appearance.
template <class Label>
std::vector<std::uint32_t> numbered(const std::string& label, std::span<const Label> labels, std::size_t rows) {
    if (labels.size() != rows)
        throw InputError(label + ": " + std::to_string(labels.size()) + " block labels for " + std::to_string(rows) +
                         " rows; expected one per row");
    std::unordered_map<Label, std::uint32_t> numbers;
    std::vector<std::uint32_t> blocks;
    blocks.reserve(rows);
    for (const Label& of_row : labels)
        blocks.push_back(numbers.try_emplace(of_row, static_cast<std::uint32_t>(numbers.size())).first->second);
    return blocks;
}

// Throws InputError, naming the row, when it has no direction.
RowScale scale_to_unit_length(const std::string& label, std::size_t index, std::span<double> row) {
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
    RowScale found{std::ilogb(largest), 0};
    scale(row, found.exponent);
    found.length = norm(row);
    divide(row, found.length);
    return found;
}

// Throws InputError when the rows cancel out or all point the same way.
void require_breadth(const UnitRows& rows) {
    if (norm(rows.sum()) / static_cast<double>(rows.size()) < no_direction)
        throw InputError(rows.label() + ": its " + std::to_string(rows.size()) +
                         " rows cancel out (r = 0), so it has no mean direction and no finite breadth");
    std::vector<double> first_scratch, scratch;
    const std::span<const double> first = rows.row(0, first_scratch);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::span<const double> row = rows.row(i, scratch);
        double squared = 0;
        for (std::size_t k = 0; k < row.size(); ++k) squared += std::pow(row[k] - first[k], 2);
        if (std::sqrt(squared) > same_direction) return;
    }
    throw InputError(rows.label() + ": all " + std::to_string(rows.size()) +
                     " rows point the same way (r = 1), so it has no breadth; check for repeated occurrences");
}

}  // namespace

UnitRows::UnitRows(const Cloud& cloud)
    : cloud_(&cloud),
      name_(cloud.name()),
      origin_(cloud.origin()),
      size_(cloud.size()),
      dimension_(cloud.dimension()) {}

UnitRows::UnitRows(std::shared_ptr<const Cloud> cloud) : UnitRows(*cloud) {
    owner_ = std::move(cloud);
}

UnitRows::UnitRows(std::string name, std::string origin, const Rows& rows, std::shared_ptr<const void> owner)
    : name_(std::move(name)),
      origin_(std::move(origin)),
      size_(rows.n),
      dimension_(rows.dimension),
      elements_(static_cast<const std::byte*>(rows.data)),
      element_(rows.element),
      scales_(rows.n),
      sum_(rows.dimension, 0.0),
      owner_(std::move(owner)) {
    const std::string own_label = label();
    check_shape(own_label, size_ * dimension_, dimension_);
    if (!rows.blocks.empty()) blocks_ = numbered(own_label, rows.blocks, size_);
    std::vector<double> unit(dimension_);
    for (std::size_t i = 0; i < size_; ++i) {
        widen_row(i, unit);
        scales_[i] = scale_to_unit_length(own_label, i, unit);
        add(sum_, unit);
    }
    require_breadth(*this);
}

UnitRows::UnitRows(const UnitRows& of, const BlockSums& sums)
    : block_sums_(&sums), name_(of.name()), origin_(of.origin()), size_(sums.size()), dimension_(sums.dimension) {
    sum_.assign(of.sum().begin(), of.sum().end());
}

std::span<const double> UnitRows::row(std::size_t i, std::vector<double>& scratch) const {
    if (!kept().empty()) return kept().subspan(i * dimension_, dimension_);
    scratch.resize(dimension_);
    write(i, 1, scratch.data());
    return scratch;
}

void UnitRows::write(std::size_t first, std::size_t count, double* to) const {
    if (!kept().empty()) {
        std::ranges::copy(kept().subspan(first * dimension_, count * dimension_), to);
        return;
    }
    for (std::size_t i = first; i < first + count; ++i, to += dimension_) {
        const std::span<double> row(to, dimension_);
        widen_row(i, row);
        scale(row, scales_[i].exponent);
        divide(row, scales_[i].length);
    }
}

void UnitRows::widen_row(std::size_t i, std::span<double> to) const {
    arrays::widen(elements_ + i * dimension_ * bytes_of(element_), stored(element_), to);
}

BlockSums block_sums(const UnitRows& rows) {
    const std::span<const std::uint32_t> blocks = rows.blocks();
    const std::size_t count = std::size_t{*std::ranges::max_element(blocks)} + 1;
    const std::size_t d = rows.dimension();
    BlockSums result{d, std::vector<double>(count * d, 0.0), std::vector<double>(count, 0.0), {}};
    std::vector<double> scratch;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        add(std::span(result.sums).subspan(blocks[i] * d, d), rows.row(i, scratch));
        result.counts[blocks[i]] += 1;
    }
    for (std::size_t k = 0; k < count; ++k) result.squares.push_back(dot(result.sum(k), result.sum(k)));
    return result;
}

std::vector<double> mirror(const UnitRows& x, const UnitRows& y, Alignment align) {
    if (align == Alignment::none) return {};
    const double length_x = norm(x.sum());
    const double length_y = norm(y.sum());
    std::vector<double> u(x.dimension());
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = x.sum()[k] / length_x - y.sum()[k] / length_y;
    const double length = norm(u);
    if (length < equal_directions) return {};
    for (double& value : u) value /= length;
    return u;
}

std::vector<double> pooled_rows(const UnitRows& x, const UnitRows& y, const std::vector<double>& u) {
    const std::size_t d = x.dimension();
    std::vector<double> rows((x.size() + y.size()) * d);
    x.write(0, x.size(), rows.data());
    y.write(0, y.size(), rows.data() + x.size() * d);
    if (u.empty()) return rows;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::span<double> row(rows.data() + i * d, d);
        add_scaled(row, -2 * dot(row, u), u);
    }
    return rows;
}

}  // namespace wordbreadth::geometry

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
