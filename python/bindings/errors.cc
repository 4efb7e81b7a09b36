// Which exception of Python each of the library's becomes; the message stays.
#include <nanobind/nanobind.h>

#include "bindings/bindings.h"
#include "wordbreadth/error.h"

namespace wordbreadth::python {

namespace nb = nanobind;

void translate_errors() {
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const InputError& error) {
            PyErr_SetString(PyExc_ValueError, error.what());
        }
    });
}

}  // namespace wordbreadth::python
