// The largest values of a stream, in memory that does not grow with it.
#pragma once

#include <cstddef>
#include <vector>

namespace wordbreadth::permutation {

// Which values are kept depends on what was added, never on the order: collectors filled by different threads and
// merged in any order end up alike.
class TopValues {
  public:
    // Keeps the `capacity` largest.
    explicit TopValues(std::size_t capacity) : capacity_(capacity) {}

    // A NaN is kept as infinity: an undefined split counts as an exceedance of anything.
    void add(double value);
    void merge(const TopValues& other);

    // At most `capacity` values, largest first.
    [[nodiscard]] std::vector<double> descending() const;

  private:
    std::size_t capacity_;
    std::vector<double> heap_;  // the smallest value kept is in front
};

}  // namespace wordbreadth::permutation
