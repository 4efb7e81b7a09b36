// A progress bar on stderr: only on a terminal, only once the work has lasted over a second, erased at its end.
#pragma once

#include <chrono>
#include <functional>

namespace wordbreadth::cli {

class Progress {
  public:
    Progress() = default;
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // For Execution::progress. Empty when stderr is no terminal. Must not outlive this object.
    [[nodiscard]] std::function<void(double done)> callback();

  private:
    using Clock = std::chrono::steady_clock;

    void update(double done);

    const Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::seconds(1);
    bool drawn_ = false;
};

}  // namespace wordbreadth::cli
