// Columns for other libraries, without a copy: Arrow's C stream interface
// (https://arrow.apache.org/docs/format/CStreamInterface.html).
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "report/table/columns.h"

namespace wordbreadth::python {

using Column = report::ColumnValues;
using SharedColumns = std::shared_ptr<const std::vector<Column>>;

// A capsule "arrow_array_stream" with one batch of all rows. Counts are int64 (uint64 where one is larger), real
// numbers float64, text large_utf8; missing values, NaN and infinities are null.
[[nodiscard]] nanobind::object arrow_stream(const SharedColumns& columns);

}  // namespace wordbreadth::python
