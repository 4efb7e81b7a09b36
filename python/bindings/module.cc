// The extension module wordbreadth._core. What people import is the package around it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.h"
#include "bindings/calls.h"
#include "wordbreadth/version.h"

NB_MODULE(_core, module) {
    using namespace wordbreadth::python;
    module.def("version", [] { return std::string(wordbreadth::version()); });
    module.def("end_calls", end_calls);
    module.def("set_leak_warnings", nanobind::set_leak_warnings);
    nanobind::set_leak_warnings(false);  // the tests turn them on
    expect_forks();
    translate_errors();
    add_results(module);
    add_clouds(module);
    add_sessions(module);
    add_tables(module);
    add_stores(module);
    add_studies(module);
    add_words(module);
    add_lexicon(module);
    add_trust(module);
    add_occurrences(module);
    add_extraction(module);
    add_encoder(module);
}
