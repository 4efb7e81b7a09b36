// What the figures have in common: their words, their axes, and the lines drawn across them.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

namespace wordbreadth::report {

struct Heading {
    std::string title{};        // drawn above the figure
    std::string description{};  // what it shows, for those who cannot see it
};

struct Axis {
    enum class Kind {
        linear,
        logarithmic,  // values that are not positive are left out
        hidden,       // linear, and neither drawn nor labelled: where only neighbourhood means something
    };
    std::string label{};
    Kind kind = Kind::linear;
    std::optional<double> low{}, high{};  // where it ends; otherwise the data decide
    bool percent = false;                 // 0.05 is written 5%
    std::string column{};                 // what its values are called in a file; empty: the label
};

// A value with its 95% interval; NaN where there is none.
struct Estimate {
    double value = NAN;
    double low = NAN;
    double high = NAN;
};

// A straight line across the figure at one value of an axis: a nominal level, an observed T.
struct Guide {
    double at = 0;
    std::string label{};
};

// What stands behind a point or a row: a concordance of the page, or one line of it, none when the key is empty; behind
// a point without one, a row of a table of the page.
struct Evidence {
    std::string concordance{};          // its key
    std::optional<std::size_t> line{};  // from 0
    std::string row{};                  // what the row is about (TableColumn::Kind::subject)
};

}  // namespace wordbreadth::report
