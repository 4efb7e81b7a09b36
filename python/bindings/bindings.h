// The parts of the module, each in a file of its own.
#pragma once

#include <nanobind/nanobind.h>

namespace wordbreadth::python {

// Calls work in a process that was forked.
void expect_forks();
[[nodiscard]] bool is_forked();  // whether this process was, since the module was imported

// What the library throws becomes ValueError, OSError and the like.
void translate_errors();

void add_results(nanobind::module_& module);  // TestResult, Breadth, Device
void add_clouds(nanobind::module_& module);   // test, breadth, pairs, adjust, devices
void add_sessions(nanobind::module_& module);

}  // namespace wordbreadth::python
