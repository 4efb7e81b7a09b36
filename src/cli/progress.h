// A progress bar on stderr: only on a terminal, only once the work has lasted over a second, erased at its end. Before
// it a note, where there is one.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "cli/terminal.h"

namespace wordbreadth::cli {

class Progress {
  public:
    explicit Progress(std::string note) : note_(std::move(note)) {}
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // For Execution::progress. Empty when there is nothing to show. Must not outlive this object.
    [[nodiscard]] std::function<void(double done)> callback();

    // Prints the note, the first time. The callback does so once a part of the work is done, not before: a call that
    // cannot be carried out has one line of complaint and no other.
    void print_note();

  private:
    using Clock = std::chrono::steady_clock;

    void update(double done);
    void draw(double done);
    void erase();

    std::string note_;  // until it was printed
    const bool on_a_terminal_ = stderr_is_a_terminal();
    const Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::seconds(1);
    bool drawn_ = false;
};

}  // namespace wordbreadth::cli
