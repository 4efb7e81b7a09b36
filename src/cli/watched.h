// Long work that a person watches: with a progress bar, and stopped by Ctrl-C.
#pragma once

#include <string>
#include <utility>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "wordbreadth/test.h"

namespace wordbreadth::cli {

// Returns work(options), the options completed so that it prints the note, shows its progress and throws Cancelled on
// Ctrl-C.
template <class Work>
auto watched(TestOptions options, std::string note, Work&& work) {
    const Interrupt interrupt;
    Progress progress(std::move(note));
    options.execution.stop = interrupt.token();
    options.execution.progress = progress.callback();
    auto result = std::forward<Work>(work)(std::as_const(options));
    progress.print_note();
    return result;
}

}  // namespace wordbreadth::cli
