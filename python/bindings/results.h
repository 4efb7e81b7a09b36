// What tests return, as Python sees it.
#pragma once

#include <memory>
#include <optional>

#include "report/results.h"
#include "wordbreadth/equivalence.h"
#include "wordbreadth/test.h"

namespace wordbreadth::python {

struct Tested {
    TestResult result;
    double confidence = 0.95;  // of its interval, and what its verdict goes by
    std::optional<Equivalence> equivalence{};
};

// The tests of many pairs. The report's table refers to them, so they stay where they are.
struct TestedMany {
    std::shared_ptr<const report::TestedPairs> pairs;

    [[nodiscard]] Tested at(std::size_t index) const;
};

}  // namespace wordbreadth::python
