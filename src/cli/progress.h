// Long work that a person watches: with a progress bar on stderr, and stopped by Ctrl-C.
//
// The bar is drawn only on a terminal, and erased at its end.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/test.h"

namespace wordbreadth::cli {

class Progress {
  public:
    // A note is printed before the bar, once a part of the work is done, not earlier: a call that cannot be carried out
    // prints one line of complaint and nothing else.
    explicit Progress(std::string note = "") : note_(std::move(note)) {}
    ~Progress() { erase(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // For Execution::progress: a bar, once the work has lasted over a second. Empty when there is nothing to show. Must
    // not outlive this object, nor must the other.
    [[nodiscard]] std::function<void(double done)> callback();

    // For ExtractOptions::progress: the stage and its rate, from the start.
    [[nodiscard]] std::function<void(const ExtractProgress&)> callback(ExtractUnit unit);

    // Prints the note, unless it was printed.
    void print_note();

  private:
    using Clock = std::chrono::steady_clock;

    void draw(const std::function<std::string(double spent)>& line);
    void erase();

    std::string note_;
    const bool on_a_terminal_ = stderr_is_a_terminal();
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::seconds(1);
    std::optional<ExtractProgress> first_{};  // of the stage
    bool drawn_ = false;
};

// What a person reads when the work goes to the CPU although the machine has a GPU that this program could use: one
// line, or nothing when a device was asked for, a GPU is used, there is none, or the program was built without CUDA.
// Programs, which read JSON or TSV, find the device in the result.
[[nodiscard]] std::string fallback_note(const Execution& execution, Format format);

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

// The same for work that takes a struct of options with an execution in it.
template <class Options, class Work>
auto watched_with(Options options, Format format, Work&& work) {
    return watched(options.execution, fallback_note(options.execution, format), [&](const Execution& execution) {
        options.execution = execution;
        return std::forward<Work>(work)(std::as_const(options));
    });
}

}  // namespace wordbreadth::cli
