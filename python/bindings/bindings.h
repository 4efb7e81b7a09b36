// The parts of the module, each in a file of its own.
#pragma once

#include <nanobind/nanobind.h>

namespace wordbreadth::python {}  // namespace wordbreadth::python
