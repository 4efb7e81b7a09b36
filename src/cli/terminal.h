// What the program shares with the person at the terminal: the standard streams, the signals that stop it, and the
// progress of long work.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "report/table/text.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/test.h"

namespace wordbreadth::cli {

// Throws std::runtime_error when stdout is closed. Other closed standard streams are opened to nowhere: else the next
// file opened would take their place and be written into.
void check_standard_streams();

// Plain for a file; for a terminal its width, and colour unless NO_COLOR is set (https://no-color.org).
[[nodiscard]] report::Style stdout_style();

[[nodiscard]] bool stdout_is_a_terminal();
[[nodiscard]] bool stderr_is_a_terminal();

// Where errors go: stderr, which notes and progress share until they are silenced.
class ErrorOutput {
  public:
    // What else is written to stderr from now on goes nowhere.
    void silence_the_rest();
    void print(std::string_view text) const;

  private:
    int descriptor_ = 2;
};

// Writes all of the text. Throws std::runtime_error when stdout does not take it (a full disk).
void print(std::string_view text);

// While an object of this class lives, what is printed is kept in memory instead. One at a time.
class CapturedOutput {
  public:
    // Throws std::system_error when the system refuses.
    CapturedOutput();
    ~CapturedOutput();
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    // What was printed until now.
    [[nodiscard]] std::string text() const;

  private:
    int memory_ = -1;
    int stdout_ = -1;
};

// ---- Signals: Ctrl-C, and those of a closed terminal and of a batch system

// To be called once, first of all. SIGINT, SIGTERM and SIGHUP then end the program at once, but take the files along
// that are not complete; one that was ignored from the start (nohup) stays so. A file that grows past a limit (SIGXFSZ)
// becomes an error of the write. A mapped file that is cut while it is read (SIGBUS) ends the program with one line on
// stderr and exit code 1.
void catch_signals();

// What the program returns when it was stopped: 128 + the signal's number.
[[nodiscard]] int exit_code_of_stop();

// While an object of this class lives, the first of these signals is a stop request. A second one ends the program.
// There is one such object at a time.
class Interrupt {
  public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    // For Execution::stop.
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

  private:
    std::stop_source source_;
    std::jthread watcher_;
};

// ---- Progress

// Drawn on stderr, only on a terminal, and erased at its end.
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
// Programs find the device in the result.
[[nodiscard]] std::string fallback_note(const Execution& execution, bool for_people);

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
auto watched_with(Options options, bool for_people, Work&& work) {
    return watched(options.execution, fallback_note(options.execution, for_people), [&](const Execution& execution) {
        options.execution = execution;
        return std::forward<Work>(work)(std::as_const(options));
    });
}

}  // namespace wordbreadth::cli
