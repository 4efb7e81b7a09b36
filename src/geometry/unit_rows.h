// The unit rows of a cloud, in float64, made of whatever elements it is kept in.
//
// A row is scaled by a power of two, so that its largest value is in [1, 2), and divided by its length. Made again
// from the elements it has the same bits, so that only the power and the length need to be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth::geometry {

// How messages call a cloud: "bank" or "bank (clouds.npz)".
[[nodiscard]] std::string label_of(const std::string& name, const std::string& origin);

[[nodiscard]] std::size_t bytes_of(Element element);

struct RowScale {
    int exponent = 0;   // of the largest magnitude
    double length = 0;  // of the row times 2^-exponent
};

// Throws InputError unless there are whole rows, at least two of them, in a dimension within the limits.
void check_shape(const std::string& label, std::size_t values, std::size_t dimension);

// The blocks of a cloud: rows that belong together, such as a word's occurrences in one document.
struct BlockSums {
    std::size_t dimension = 0;
    std::vector<double> sums;     // (blocks, dimension) of the unit rows: D_k
    std::vector<double> counts;   // (blocks) of rows: c_k
    std::vector<double> squares;  // (blocks) |D_k|^2

    [[nodiscard]] std::size_t size() const { return counts.size(); }
    [[nodiscard]] std::span<const double> sum(std::size_t k) const {
        return std::span(sums).subspan(k * dimension, dimension);
    }
};

class UnitRows {
  public:
    // The rows of a Cloud, which must outlive this.
    UnitRows(const Cloud& cloud);  // NOLINT(google-explicit-constructor): a Cloud goes wherever unit rows do
    // The same for a cloud that is moved in.
    explicit UnitRows(std::shared_ptr<const Cloud> cloud);

    // Elements on the host, kept alive by `owner` where there is one. Throws InputError as the constructor of Cloud.
    UnitRows(std::string name, std::string origin, const Rows& rows, std::shared_ptr<const void> owner);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& origin() const { return origin_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] std::span<const double> sum() const { return cloud_ != nullptr ? cloud_->sum() : sum_; }
    [[nodiscard]] std::string label() const { return label_of(name_, origin_); }
    [[nodiscard]] std::span<const std::uint32_t> blocks() const {
        return cloud_ != nullptr ? cloud_->blocks() : blocks_;
    }

    // A view of `sums`, the blocks of the cloud `of`, both of which must outlive this: the sum of each block's rows
    // takes the place of a row. They are not of unit length.
    UnitRows(const UnitRows& of, const BlockSums& sums);
    [[nodiscard]] const BlockSums* block_sums() const { return block_sums_; }  // null but for such a view

    // Row i: where it is kept in float64, or else written to `scratch`, which is sized as needed.
    [[nodiscard]] std::span<const double> row(std::size_t i, std::vector<double>& scratch) const;

    // All rows, where they are kept in float64; else empty.
    [[nodiscard]] std::span<const double> kept() const {
        if (block_sums_ != nullptr) return block_sums_->sums;
        return cloud_ != nullptr ? cloud_->unit_rows() : std::span<const double>();
    }

    // Writes rows first .. first + count - 1, (count, dimension).
    void write(std::size_t first, std::size_t count, double* to) const;

  private:
    void widen_row(std::size_t i, std::span<double> to) const;

    const Cloud* cloud_ = nullptr;           // whose rows these are, or
    const BlockSums* block_sums_ = nullptr;  // whose sums; if neither:
    std::string name_, origin_;
    std::size_t size_, dimension_;
    const std::byte* elements_ = nullptr;
    Element element_ = Element::f64;
    std::vector<RowScale> scales_;  // (size)
    std::vector<double> sum_;       // (dimension)
    std::vector<std::uint32_t> blocks_;
    std::shared_ptr<const void> owner_;
};

[[nodiscard]] BlockSums block_sums(const UnitRows& rows);

// ---- the Householder reflection that turns one cloud's mean direction onto another's

// The unit vector u (d) of the reflection X' = X - 2 (X u) u^T that takes x's mean direction to y's. Empty when
// nothing is reflected: the directions are equal, or `align` is none.
[[nodiscard]] std::vector<double> mirror(const UnitRows& x, const UnitRows& y, Alignment align);

// x's rows reflected by u (unchanged for an empty u), then y's: (n + m, d).
[[nodiscard]] std::vector<double> pooled_rows(const UnitRows& x, const UnitRows& y, const std::vector<double>& u);

}  // namespace wordbreadth::geometry
