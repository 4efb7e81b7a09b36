// How far an extraction is: one line on stderr, only on a terminal, erased at its end.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "cli/terminal.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::cli {

class ExtractProgressLine {
  public:
    explicit ExtractProgressLine(ExtractUnit unit) : unit_(unit) {}
    ~ExtractProgressLine();
    ExtractProgressLine(const ExtractProgressLine&) = delete;
    ExtractProgressLine& operator=(const ExtractProgressLine&) = delete;

    // For ExtractOptions::progress. Empty when there is nothing to show. Must not outlive this object.
    [[nodiscard]] std::function<void(const ExtractProgress&)> callback();

  private:
    using Clock = std::chrono::steady_clock;

    void update(const ExtractProgress& progress);
    void start(const ExtractProgress& progress, Clock::time_point now);

    const ExtractUnit unit_;
    const bool on_a_terminal_ = stderr_is_a_terminal();
    std::optional<ExtractProgress> first_;  // of the stage
    Clock::time_point start_;               // of the stage
    Clock::time_point next_;
    bool drawn_ = false;
};

}  // namespace wordbreadth::cli
