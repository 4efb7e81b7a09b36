// Long work that a person watches: with a progress bar, and stopped by Ctrl-C.
#pragma once

#include <string>
#include <utility>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "wordbreadth/test.h"

namespace wordbreadth::cli {

// Returns work(execution), the execution completed so that it prints the note, shows its progress and throws Cancelled
// on Ctrl-C.
template <class Work>
auto watched(Execution execution, std::string note, Work&& work) {
    const Interrupt interrupt;
    Progress progress(std::move(note));
    execution.stop = interrupt.token();
    execution.progress = progress.callback();
    auto result = std::forward<Work>(work)(std::as_const(execution));
    progress.print_note();
    return result;
}

// The same for work that wants all the options of a test.
template <class Work>
auto watched(TestOptions options, std::string note, Work&& work) {
    return watched(options.execution, std::move(note), [&](const Execution& execution) {
        options.execution = execution;
        return std::forward<Work>(work)(std::as_const(options));
    });
}

}  // namespace wordbreadth::cli
