// Long work that a person watches: with a progress bar, and stopped by Ctrl-C.
#pragma once

#include <utility>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "wordbreadth/test.h"

namespace wordbreadth::cli {

// Returns work(options), the options completed so that it shows its progress and throws Cancelled on Ctrl-C.
template <class Work>
auto watched(TestOptions options, Work&& work) {
    const Interrupt interrupt;
    Progress progress;
    options.execution.stop = interrupt.token();
    options.execution.progress = progress.callback();
    return std::forward<Work>(work)(std::as_const(options));
}

}  // namespace wordbreadth::cli
