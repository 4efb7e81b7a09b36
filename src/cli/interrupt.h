// Ctrl-C as a stop request, while an object of this class lives. A second Ctrl-C ends the program at once.
#pragma once

#include <signal.h>

#include <stop_token>
#include <thread>

namespace wordbreadth::cli {

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
    struct sigaction previous_ {};
    std::jthread watcher_;
};

}  // namespace wordbreadth::cli
