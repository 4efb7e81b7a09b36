// Running a call of the library for Python: without the GIL, with progress, ended by Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

namespace wordbreadth::python {

// What a call of the library is given, for its Execution or its options.
struct Watch {
    std::function<void(double done)> progress;  // empty where nobody wants to know
    std::stop_token stop;
};

// Stops the calls that daemon threads have under way, and waits for their end: the process must not end beneath them.
// For the end of the interpreter, before anything is taken down.
void end_calls();

// Runs `work` without the GIL and returns when it is done. `progress` is None or a callable that takes the share done;
// it is called with the GIL, by the thread that called. What it raises, and Ctrl-C, stops the work, and is raised once
// that has ended. Called with the GIL.
void run_watched(const nanobind::object& progress, const std::function<void(const Watch&)>& work);

// The same with a result.
template <class Work>
[[nodiscard]] auto watched(const nanobind::object& progress, const Work& work) {
    std::optional<decltype(work(std::declval<const Watch&>()))> result;
    run_watched(progress, [&](const Watch& watch) { result.emplace(work(watch)); });
    return std::move(*result);
}

}  // namespace wordbreadth::python
