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
void add_lexicon(nanobind::module_& module);  // WordNet, lists of words
void add_tables(nanobind::module_& module);
void add_stores(nanobind::module_& module);
void add_studies(nanobind::module_& module);      // what all results of studies have
void add_words(nanobind::module_& module);        // rank, triage, compare
void add_trust(nanobind::module_& module);        // calibrate, experiment
void add_occurrences(nanobind::module_& module);  // concordance, modes, by_size, pairs by gap
void add_extraction(nanobind::module_& module);
void add_encoder(nanobind::module_& module);

}  // namespace wordbreadth::python
