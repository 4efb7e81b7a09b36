// Steps of a calibration as lists of Python's numbers, which travel between processes.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "wordbreadth/calibrate.h"

namespace wordbreadth::python {

[[nodiscard]] nanobind::list state_of(const std::vector<CalibrationStep>& steps);
[[nodiscard]] std::vector<CalibrationStep> steps_of(const nanobind::list& state);

}  // namespace wordbreadth::python
