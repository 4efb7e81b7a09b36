// A cloud: the unit vectors of one word's occurrences (or of any set of things).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace wordbreadth {

enum class Element { f32, f64, f16, bf16 };

// Vectors that the caller holds: n x dimension elements, row after row, aligned to their size.
struct Rows {
    const void* data = nullptr;
    Element element = Element::f32;
    std::size_t n = 0;
    std::size_t dimension = 0;
    bool on_device = false;  // `data` points to the memory of the session's GPU
};

class Cloud {
  public:
    // Takes n x dimension values, row after row, and scales every row to unit length (norms in float64).
    // `name` and `origin` (a file, say) are what messages call the cloud; `origin` may be empty.
    // Throws InputError, naming the cloud and the row, when there are fewer than 2 rows, fewer than 2 dimensions,
    // a NaN or infinite value, a zero row, or when it has no breadth: all rows point the same way (r = 1), or they
    // cancel out (r = 0: no mean direction).
    Cloud(std::string name, std::vector<double> values, std::size_t dimension, std::string origin = {});

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& origin() const { return origin_; }
    [[nodiscard]] std::size_t size() const { return unit_rows_.size() / dimension_; }
    [[nodiscard]] std::size_t dimension() const { return dimension_; }

    // (size, dimension), row after row.
    [[nodiscard]] std::span<const double> unit_rows() const { return unit_rows_; }
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return unit_rows().subspan(i * dimension_, dimension_);
    }

    // The sum of the rows, (dimension).
    [[nodiscard]] std::span<const double> sum() const { return sum_; }

    // How messages call it: "bank" or "bank (clouds.npz)".
    [[nodiscard]] std::string label() const;

  private:
    std::string name_;
    std::string origin_;
    std::size_t dimension_;
    std::vector<double> unit_rows_;
    std::vector<double> sum_;
};

}  // namespace wordbreadth
