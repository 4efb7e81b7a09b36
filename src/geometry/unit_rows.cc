#include "geometry/unit_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "arrays/array_file.h"
#include "geometry/tolerances.h"
#include "geometry/vector_math.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::geometry {

std::string label_of(const std::string& name, const std::string& origin) {
    return origin.empty() ? name : name + " (" + origin + ")";
}

void check_rows(const std::string& label, const Rows& rows) {
    if (rows.element < Element::f32 || rows.element > Element::bf16)
        throw InputError(label + ": element type " + std::to_string(static_cast<int>(rows.element)) + " is unknown");
    const std::size_t width = arrays::bytes_of(rows.element);
    if (rows.n > limits::rows_of_a_pair || rows.dimension > limits::dimension)
        throw InputError(label + ": " + std::to_string(rows.n) + " rows in " + std::to_string(rows.dimension) +
                         " dimensions; expected at most " + std::to_string(limits::rows_of_a_pair) + " in " +
                         std::to_string(limits::dimension));
    if (rows.data == nullptr && rows.n != 0)
        throw InputError(label + ": its rows are a null pointer; expected " + std::to_string(rows.n) + " rows");
    if (reinterpret_cast<std::uintptr_t>(rows.data) % width != 0)
        throw InputError(label + ": its rows are not aligned to their elements of " + std::to_string(width) + " bytes");
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

constexpr std::size_t values_kept = std::size_t{1} << 18;  // of a cloud, while it is made: 2 MB

// value * 2^-exponent, rounded once. A product is that as long as the power is a normal number.
void scale(std::span<double> row, int exponent) {
    if (std::abs(exponent) > largest_exponent) {
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

// Of the values that are numbers.
double largest_magnitude(std::span<const double> row) {
    std::array<double, 8> largest{};  // as in vector_math.h
    const std::size_t whole = row.size() / 8 * 8;
    const auto take = [&](std::size_t lane, double value) {
        largest[lane] = std::abs(value) > largest[lane] ? std::abs(value) : largest[lane];
    };
    for (std::size_t i = 0; i < whole; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) take(lane, row[i + lane]);
    for (std::size_t i = whole; i < row.size(); ++i) take(i - whole, row[i]);
    return std::ranges::max(largest);
}

[[noreturn]] void fail_row(const std::string& label, std::size_t index, std::span<const double> row) {
    for (const double value : row)
        if (!std::isfinite(value))
            throw InputError(label + ": row " + std::to_string(index) + " holds " + std::to_string(value) +
                             "; every value must be finite");
    throw InputError(label + ": row " + std::to_string(index) + " is all zeros and has no direction; leave it out");
}

// Throws InputError, naming the row, when it has no direction.
RowScale scale_to_unit_length(const std::string& label, std::size_t index, std::span<double> row) {
    // Dividing by the largest value first keeps the squares of very large or small rows in range. A power of two, so
    // that no value is rounded on the way.
    const double largest = largest_magnitude(row);
    if (largest == 0 || !std::isfinite(largest)) fail_row(label, index, row);
    RowScale found{std::ilogb(largest), 0};
    scale(row, found.exponent);
    found.length = norm(row);
    if (std::isnan(found.length)) fail_row(label, index, row);
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

}  // namespace wordbreadth::geometry

namespace wordbreadth {

struct Cloud::Contents {
    Rows rows;  // as they were given, and what makes them unit rows; or, where they are null, `unit`
    std::shared_ptr<const void> owner;
    std::vector<geometry::RowScale> scales;
    std::vector<double> sum;
    std::vector<double> products;
    mutable std::once_flag made;
    mutable std::vector<double> unit;
    // Of rows on a device: their elements on the host.
    std::function<std::shared_ptr<const void>()> download{};
    mutable std::once_flag downloaded;
    mutable std::shared_ptr<const void> copy;

    // Row i, (dimension).
    void write(std::size_t i, std::span<double> to) const {
        const auto& [exponent, length] = scales[i];
        const std::byte* const from = elements(i);
        if (std::abs(exponent) <= geometry::largest_exponent)
            return arrays::widen_scaled(from, rows.element, std::ldexp(1.0, -exponent), length, to);
        arrays::widen(from, rows.element, to);
        geometry::scale(to, exponent);
        geometry::divide(to, length);
    }

    [[nodiscard]] const std::byte* elements(std::size_t i) const {
        if (rows.on_device) std::call_once(downloaded, [this] { copy = download(); });
        const void* const data = rows.on_device ? copy.get() : rows.data;
        return static_cast<const std::byte*>(data) + i * rows.dimension * arrays::bytes_of(rows.element);
    }
};

}  // namespace wordbreadth

namespace wordbreadth::geometry {

std::size_t UnitRows::bytes() const {
    const Rows& rows = cloud_->contents_->rows;
    const std::size_t width = rows.data != nullptr ? arrays::bytes_of(rows.element) : sizeof(double);
    return cloud_->size() * cloud_->dimension() * width;
}

std::optional<Cloud> UnitRows::remote(std::string name, RemoteRows rows, std::string origin) {
    const auto contents = std::make_shared<Cloud::Contents>();
    const std::span<const std::uint64_t> labels = std::exchange(rows.rows.blocks, {});
    contents->rows = rows.rows;
    contents->scales = std::move(rows.scales);
    contents->sum = std::move(rows.sum);
    contents->products = std::move(rows.products);
    contents->download = std::move(rows.download);
    if (norm(contents->sum) / static_cast<double>(rows.rows.n) < no_direction) return std::nullopt;
    Cloud cloud(std::move(name), std::move(origin), contents);
    if (!labels.empty()) cloud.set_blocks(labels);
    return cloud;
}

const Rows* UnitRows::on_device() const {
    const Rows& rows = cloud_->contents_->rows;
    return rows.on_device && block_sums_ == nullptr ? &rows : nullptr;
}

std::span<const double> UnitRows::products() const {
    return cloud_->contents_->products;
}

std::span<const double> UnitRows::kept() const {
    // Those that a cloud has made of other rows are not looked for: a thread may be at it.
    if (block_sums_ != nullptr || cloud_->contents_->rows.data != nullptr) return {};
    return cloud_->contents_->unit;
}

std::span<const double> UnitRows::row(std::size_t i, std::vector<double>& scratch) const {
    if (!kept().empty()) return kept().subspan(i * dimension(), dimension());
    scratch.resize(dimension());
    write(i, 1, scratch.data());
    return scratch;
}

void UnitRows::write(std::size_t first, std::size_t count, double* to) const {
    const std::size_t d = dimension();
    if (!kept().empty()) {
        std::ranges::copy(kept().subspan(first * d, count * d), to);
    } else if (block_sums_ == nullptr) {
        for (std::size_t i = first; i < first + count; ++i, to += d) cloud_->contents_->write(i, {to, d});
    } else {
        const UnitRows rows(*cloud_);
        std::vector<double> scratch;
        for (std::size_t k = first; k < first + count; ++k, to += d) {
            const std::span<double> sum(to, d);
            std::ranges::fill(sum, 0.0);
            for (std::size_t i = block_sums_->begins[k]; i < block_sums_->begins[k + 1]; ++i)
                add(sum, rows.row(block_sums_->rows[i], scratch));
        }
    }
}

BlockSums block_sums(const UnitRows& rows) {
    const std::span<const std::uint32_t> blocks = rows.blocks();
    const std::size_t count = std::size_t{*std::ranges::max_element(blocks)} + 1;
    BlockSums result;
    result.counts.resize(count);
    result.begins.resize(count + 1);
    for (const std::uint32_t block : blocks) result.counts[block] += 1;
    for (std::size_t k = 0; k < count; ++k)
        result.begins[k + 1] = result.begins[k] + static_cast<std::size_t>(result.counts[k]);
    result.rows.resize(blocks.size());
    std::vector<std::size_t> next = result.begins;
    for (std::size_t i = 0; i < blocks.size(); ++i) result.rows[next[blocks[i]]++] = i;

    const UnitRows sums(rows, result);
    std::vector<double> scratch;
    for (std::size_t k = 0; k < count; ++k) {
        const std::span<const double> sum = sums.row(k, scratch);
        result.squares.push_back(dot(sum, sum));
        result.products.push_back(dot(sum, rows.sum()));
    }
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
    : name_(std::move(name)), origin_(std::move(origin)), size_(0), dimension_(dimension) {
    const std::string own_label = label();
    geometry::check_shape(own_label, values.size(), dimension);
    size_ = values.size() / dimension;
    const auto contents = std::make_shared<Contents>();
    contents->sum.assign(dimension, 0.0);
    for (std::size_t i = 0; i < size_; ++i) {
        const std::span<double> row_i{values.data() + i * dimension, dimension};
        geometry::scale_to_unit_length(own_label, i, row_i);
        geometry::add(contents->sum, row_i);
    }
    for (std::size_t i = 0; i < size_; ++i)
        contents->products.push_back(geometry::dot(std::span(values).subspan(i * dimension, dimension), contents->sum));
    contents->unit = std::move(values);
    contents_ = contents;
    geometry::require_breadth(*this);
}

Cloud::Cloud(std::string name, const Rows& rows, std::shared_ptr<const void> owner, std::string origin)
    : name_(std::move(name)), origin_(std::move(origin)), size_(rows.n), dimension_(rows.dimension) {
    const std::string own_label = label();
    geometry::check_rows(own_label, rows);
    geometry::check_shape(own_label, size_ * dimension_, dimension_);
    if (rows.on_device) throw InputError(own_label + ": its rows are on a device; a session takes them from there");
    if (!rows.blocks.empty()) set_blocks(rows.blocks);
    const auto contents = std::make_shared<Contents>();
    contents->rows = rows;
    contents->rows.blocks = {};
    contents->owner = std::move(owner);
    contents->sum.assign(dimension_, 0.0);
    // The first rows are still there when the sum is known, which for most clouds are all.
    const std::size_t kept = std::clamp<std::size_t>(geometry::values_kept / dimension_, 1, size_);
    std::vector<double> unit(kept * dimension_);
    const auto place = [&](std::size_t i) {
        return std::span(unit).subspan(std::min(i, kept - 1) * dimension_, dimension_);
    };
    for (std::size_t i = 0; i < size_; ++i) {
        const std::span<double> row_i = place(i);
        arrays::widen(contents->elements(i), rows.element, row_i);
        contents->scales.push_back(geometry::scale_to_unit_length(own_label, i, row_i));
        geometry::add(contents->sum, row_i);
    }
    for (std::size_t i = 0; i < size_; ++i) {
        if (i + 1 >= kept && kept < size_) contents->write(i, place(i));
        contents->products.push_back(geometry::dot(place(i), contents->sum));
    }
    contents_ = contents;
    geometry::require_breadth(*this);
}

Cloud::Cloud(std::string name, std::string origin, std::shared_ptr<const Contents> contents)
    : name_(std::move(name)),
      origin_(std::move(origin)),
      size_(contents->rows.n),
      dimension_(contents->rows.dimension),
      contents_(std::move(contents)) {}

std::span<const double> Cloud::unit_rows() const {
    if (contents_->rows.data != nullptr)
        std::call_once(contents_->made, [&] {
            std::vector<double> unit(size_ * dimension_);
            geometry::UnitRows(*this).write(0, size_, unit.data());
            contents_->unit = std::move(unit);
        });
    return contents_->unit;
}

std::span<const double> Cloud::sum() const {
    return contents_->sum;
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
