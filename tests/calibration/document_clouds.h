// Clouds whose rows come in documents that resemble themselves, of a known breadth.
//
// Rows are those of nulls.h; a part of the noise's variance is shared by the rows of a document. Pairs of rows from
// different documents have the expected cosine r^2, whatever that part is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "calibration/nulls.h"
#include "wordbreadth/cloud.h"

namespace wordbreadth::calibration {

using DocumentSizes = std::vector<std::size_t>;  // rows of each

inline DocumentSizes documents(std::size_t count, std::size_t rows) {
    return DocumentSizes(count, rows);
}

inline DocumentSizes together(DocumentSizes some, const DocumentSizes& more) {
    some.insert(some.end(), more.begin(), more.end());
    return some;
}

// Of 1, 2, 3, 4, 1, 2, ... rows.
inline DocumentSizes unlike_documents(std::size_t count) {
    DocumentSizes made;
    for (std::size_t k = 0; k < count; ++k) made.push_back(1 + k % 4);
    return made;
}

// The document of each row.
inline std::vector<std::uint64_t> labels_of(const DocumentSizes& rows) {
    std::vector<std::uint64_t> labels;
    for (std::size_t k = 0; k < rows.size(); ++k) labels.insert(labels.end(), rows[k], k);
    return labels;
}

// v as a function of r; and the r whose v is `ratio` times that of r.
inline double breadth_of(double r, double d) {
    return (1 - r * r) / (r * (d - r * r));
}
inline double broader_r(double r, double ratio, double d) {
    double low = 1e-3, high = r;
    while (high - low > 1e-13) {
        const double middle = (low + high) / 2;
        (breadth_of(middle, d) > ratio * breadth_of(r, d) ? low : high) = middle;
    }
    return low;
}

class DocumentClouds {
  public:
    // `alike`: share of the noise's variance that the rows of a document have in common.
    DocumentClouds(Shape shape, double r, double alike) : null_(std::move(shape), r), alike_(alike) {}

    // The mean lies along the first axis, or along the last.
    [[nodiscard]] Cloud draw(const DocumentSizes& rows, bool last, std::mt19937_64& random) const {
        const std::vector<std::uint64_t> labels = labels_of(rows);
        const std::size_t d = null_.dimension();
        std::vector<double> values = null_.draw(labels, alike_, random);
        if (last)
            for (std::size_t i = 0; i < labels.size(); ++i) std::swap(values[i * d], values[(i + 1) * d - 1]);
        Cloud cloud("simulated", std::move(values), d);
        cloud.set_blocks(labels);
        return cloud;
    }

  private:
    Null null_;
    double alike_;
};

// Two clouds of documents, with what was recorded for them.
struct Structure {
    const char* name;
    DocumentSizes x, y;
    double recorded_rows = 0, recorded_blocks = 0;  // rates at 0.05, of about 400 trials
};

inline std::vector<Structure> structures() {
    return {
        {"20 documents of 5 against the same", documents(20, 5), documents(20, 5), 0.172, 0.045},
        {"12 documents of 8 against 96 single rows", documents(12, 8), documents(96, 1), 0.328, 0.025},
        {"one of 50 and 50 single against 100 single", together({50}, documents(50, 1)), documents(100, 1), 0.855,
         0.048},
        {"40,20,10,8,6,5,4,3,2,2 against 30 of 3", {40, 20, 10, 8, 6, 5, 4, 3, 2, 2}, documents(30, 3), 0.725, 0.043},
    };
}

// As words are: a few axes have much of the variance, and some rows lie farther out than others.
inline Shape word_like(std::size_t d) {
    return {{{8, 0.5}, {d - 9, 0.5}}, 0.3};
}

}  // namespace wordbreadth::calibration
