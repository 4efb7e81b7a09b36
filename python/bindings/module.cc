// The extension module wordbreadth._core. What people import is the package around it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.h"
#include "wordbreadth/version.h"

NB_MODULE(_core, module) {
    module.def("version", [] { return std::string(wordbreadth::version()); });
}
