// Which exception of Python each of the library's becomes; the message stays.
#include <nanobind/nanobind.h>

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "bindings/bindings.h"
#include "wordbreadth/error.h"

namespace wordbreadth::python {

namespace nb = nanobind;

namespace {

constexpr const char* cuda_after_fork =
    "; CUDA does not work in a process that was forked while CUDA was in use: start it with the method spawn, or use "
    "device cpu";

// FileNotFoundError, PermissionError and so on, with errno; `str` of it is the message alone.
void raise(const FileError& error) {
    const nb::object of_number = nb::borrow(PyExc_OSError)(error.error(), error.what());
    nb::object raised = nb::borrow(of_number.type())(error.what());
    raised.attr("errno") = error.error();
    PyErr_SetObject(raised.type().ptr(), raised.ptr());
}

}  // namespace

void translate_errors() {
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const FileError& error) {
            raise(error);
        } catch (const InputError& error) {
            PyErr_SetString(PyExc_ValueError, error.what());
        } catch (const std::bad_alloc&) {
            PyErr_SetString(PyExc_MemoryError, "out of memory; free some, or use fewer threads or smaller clouds");
        } catch (const std::system_error& error) {
            const bool no_thread = error.code() == std::errc::resource_unavailable_try_again;
            PyErr_SetString(
                PyExc_RuntimeError,
                no_thread ? "no thread could be started; free some memory, or use fewer threads" : error.what());
        } catch (const std::runtime_error& error) {
            const std::string message = error.what();
            const bool of_cuda = is_forked() && message.starts_with("cuda");
            PyErr_SetString(PyExc_RuntimeError, (message + (of_cuda ? cuda_after_fork : "")).c_str());
        }
    });
}

}  // namespace wordbreadth::python
