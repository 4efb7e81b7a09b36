#include "permutation/top_values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace wordbreadth::permutation {

void TopValues::add(double value) {
    if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
    const bool full = heap_.size() == capacity_;
    if (full && (capacity_ == 0 || value <= heap_.front())) return;
    if (full) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.back() = value;
    } else {
        heap_.push_back(value);
    }
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void TopValues::merge(const TopValues& other) {
    const std::vector<double> values = other.heap_;  // a copy, in case `other` is this one
    for (const double value : values) add(value);
}

std::vector<double> TopValues::descending() const {
    std::vector<double> values = heap_;
    std::sort(values.begin(), values.end(), std::greater<>());
    return values;
}

}  // namespace wordbreadth::permutation
