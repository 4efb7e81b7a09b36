// The signals that stop the program: Ctrl-C, and those of a closed terminal and of a batch system.
#pragma once

#include <stop_token>
#include <thread>

namespace wordbreadth::cli {

// To be called once, first of all. SIGINT, SIGTERM and SIGHUP then end the program at once, but take the files along
// that are not complete; one that was ignored from the start (nohup) stays so. A file that grows past a limit (SIGXFSZ)
// becomes an error of the write.
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

}  // namespace wordbreadth::cli
