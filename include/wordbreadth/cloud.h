// A cloud: a set of unit vectors, such as those of one word's occurrences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wordbreadth {

namespace geometry {
class UnitRows;  // what the engines read a cloud through
}

enum class Element { f32, f64, f16, bf16 };

// Vectors that the caller holds: n x dimension elements, row after row, aligned to their size.
struct Rows {
    const void* data = nullptr;
    Element element = Element::f32;
    std::size_t n = 0;
    std::size_t dimension = 0;
    bool on_device = false;  // `data` points to the memory of the session's GPU
    // The block of each row, as for Cloud::set_blocks; copied. Empty: none.
    std::span<const std::uint64_t> blocks = {};
};

class Cloud {
  public:
    // Takes n x dimension values, row after row, and scales every row to unit length (norms in float64).
    // `name` and `origin` (a file, say) are what messages call the cloud; `origin` may be empty.
    // Throws InputError, naming the cloud and the row, when there are fewer than 2 rows, fewer than 2 dimensions,
    // a NaN or infinite value, a zero row, or when it has no breadth: all rows point the same way (r = 1), or they
    // cancel out (r = 0: no mean direction).
    Cloud(std::string name, std::vector<double> values, std::size_t dimension, std::string origin = {});

    // The same of rows on the host that are neither copied nor converted. `owner` keeps them where they are, unchanged,
    // for as long as there are copies of the cloud; null: the caller does. Throws InputError also for an unknown
    // element, or when there are blocks, but not one per row.
    Cloud(std::string name, const Rows& rows, std::shared_ptr<const void> owner, std::string origin = {});

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& origin() const { return origin_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t dimension() const { return dimension_; }

    // (size, dimension), row after row. A cloud that was made of other rows makes these when they are first asked for,
    // by any thread, and keeps them: breadth and tests do without.
    [[nodiscard]] std::span<const double> unit_rows() const;
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return unit_rows().subspan(i * dimension_, dimension_);
    }

    // The sum of the rows, (dimension).
    [[nodiscard]] std::span<const double> sum() const;

    // Says which rows belong together, such as those of one document: one label per row, equal for rows of one block.
    // Throws InputError when there is not one label per row.
    void set_blocks(std::span<const std::uint64_t> labels);
    void set_blocks(std::span<const std::string> labels);

    // The block of each row, numbered from 0 in the order of first appearance: (size); empty where none were given.
    [[nodiscard]] std::span<const std::uint32_t> blocks() const { return blocks_; }

    // How messages call it: "bank" or "bank (clouds.npz)".
    [[nodiscard]] std::string label() const;

  private:
    friend class geometry::UnitRows;
    struct Contents;  // the rows and their sum

    // Of rows that stay on a device, with all that is known of them.
    Cloud(std::string name, std::string origin, std::shared_ptr<const Contents> contents);

    std::string name_;
    std::string origin_;
    std::size_t size_;
    std::size_t dimension_;
    std::shared_ptr<const Contents> contents_;  // shared by copies
    std::vector<std::uint32_t> blocks_;
};

}  // namespace wordbreadth
