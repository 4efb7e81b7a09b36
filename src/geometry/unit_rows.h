// The unit rows of a cloud, in float64, made of whatever elements it is kept in.
//
// A row is scaled by a power of two, so that its largest value is in [1, 2), and divided by its length. Made again
// from the elements it has the same bits, so that only the power and the length need to be kept. The sum of a block of
// rows is made of them likewise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth::geometry {

// What makes a row a unit row.
struct RowScale {
    int exponent = 0;   // of the largest magnitude
    double length = 0;  // of the row times 2^-exponent
};

inline constexpr int largest_exponent = 1000;  // beyond, its power of two is no normal number

// What a cloud keeps of rows that stay on a device.
struct RemoteRows {
    Rows rows{};
    std::vector<RowScale> scales{};                           // (n)
    std::vector<double> sum{};                                // (d)
    std::vector<double> products{};                           // (n)
    std::function<std::shared_ptr<const void>()> download{};  // the elements; called once, when they are first needed
};

// How messages call a cloud: "bank" or "bank (clouds.npz)".
[[nodiscard]] std::string label_of(const std::string& name, const std::string& origin);

// Throws InputError for an unknown element, a null or misaligned pointer, and sizes past the limits.
void check_rows(const std::string& label, const Rows& rows);

// Throws InputError unless there are whole rows, at least two of them, in a dimension within the limits.
void check_shape(const std::string& label, std::size_t values, std::size_t dimension);

// The blocks of a cloud: rows that belong together, such as a word's occurrences in one document. D_k is the sum of the
// unit rows of block k, S that of all.
struct BlockSums {
    std::vector<std::size_t> begins;  // (blocks + 1) the rows of block k are rows[begins[k]] .. rows[begins[k + 1] - 1]
    std::vector<std::size_t> rows;    // (rows of the cloud), ascending within a block
    std::vector<double> counts;       // (blocks) of rows: c_k
    std::vector<double> squares;      // (blocks) |D_k|^2
    std::vector<double> products;     // (blocks) D_k . S

    [[nodiscard]] std::size_t size() const { return counts.size(); }
};

class UnitRows {
  public:
    // The rows of a Cloud, which must outlive this.
    UnitRows(const Cloud& cloud)  // NOLINT(google-explicit-constructor): a Cloud goes wherever unit rows do
        : cloud_(&cloud) {}
    // The same for a cloud that is moved in.
    explicit UnitRows(std::shared_ptr<const Cloud> cloud) : cloud_(cloud.get()), owner_(std::move(cloud)) {}

    [[nodiscard]] const std::string& name() const { return cloud_->name(); }
    [[nodiscard]] const std::string& origin() const { return cloud_->origin(); }
    [[nodiscard]] std::size_t size() const { return block_sums_ != nullptr ? block_sums_->size() : cloud_->size(); }
    [[nodiscard]] std::size_t dimension() const { return cloud_->dimension(); }
    [[nodiscard]] std::span<const double> sum() const { return cloud_->sum(); }
    [[nodiscard]] std::string label() const { return cloud_->label(); }
    [[nodiscard]] std::size_t bytes() const;  // of the cloud's rows, as it keeps them
    [[nodiscard]] std::span<const std::uint32_t> blocks() const {
        return block_sums_ != nullptr ? std::span<const std::uint32_t>() : cloud_->blocks();
    }

    // A cloud of rows on a device. Nothing where it may have no breadth, which the host has to find out.
    [[nodiscard]] static std::optional<Cloud> remote(std::string name, RemoteRows rows, std::string origin);

    // The rows where they are on a device; null where the host has them, and for blocks.
    [[nodiscard]] const Rows* on_device() const;

    // The product of each of the cloud's rows with their sum, as summaries take it.
    [[nodiscard]] std::span<const double> products() const;

    // A view of `sums`, the blocks of the cloud `of`, both of which must outlive this: the sum of each block's rows
    // takes the place of a row. They are not of unit length.
    UnitRows(const UnitRows& of, const BlockSums& sums) : cloud_(of.cloud_), block_sums_(&sums) {}
    [[nodiscard]] const BlockSums* block_sums() const { return block_sums_; }  // null but for such a view

    // Row i: where it is kept in float64, or else written to `scratch`, which is sized as needed.
    [[nodiscard]] std::span<const double> row(std::size_t i, std::vector<double>& scratch) const;

    // All rows, where they are kept in float64; else empty.
    [[nodiscard]] std::span<const double> kept() const;

    // Writes rows first .. first + count - 1, (count, dimension).
    void write(std::size_t first, std::size_t count, double* to) const;

  private:
    const Cloud* cloud_;
    const BlockSums* block_sums_ = nullptr;  // where these are its blocks
    std::shared_ptr<const Cloud> owner_;
};

// Of a cloud with blocks.
[[nodiscard]] BlockSums block_sums(const UnitRows& rows);

// ---- the Householder reflection that turns one cloud's mean direction onto another's

// The unit vector u (d) of the reflection X' = X - 2 (X u) u^T that takes x's mean direction to y's. Empty when
// nothing is reflected: the directions are equal, or `align` is none.
[[nodiscard]] std::vector<double> mirror(const UnitRows& x, const UnitRows& y, Alignment align);

// x's rows reflected by u (unchanged for an empty u), then y's: (n + m, d).
[[nodiscard]] std::vector<double> pooled_rows(const UnitRows& x, const UnitRows& y, const std::vector<double>& u);

}  // namespace wordbreadth::geometry
