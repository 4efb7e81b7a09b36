#include "cli/extract_progress.h"

#include <cstdio>

#include "report/extraction.h"

namespace wordbreadth::cli {

ExtractProgressLine::~ExtractProgressLine() {
    if (drawn_) std::fputs("\r\x1b[K", stderr);
}

std::function<void(const ExtractProgress&)> ExtractProgressLine::callback() {
    if (!on_a_terminal_) return {};
    return [this](const ExtractProgress& progress) { update(progress); };
}

void ExtractProgressLine::update(const ExtractProgress& progress) {
    const Clock::time_point now = Clock::now();
    if (!first_ || first_->stage != progress.stage) start(progress, now);
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    const double spent = std::chrono::duration<double>(now - start_).count();
    std::fputs(("\r" + report::progress_line(*first_, progress, spent, unit_) + "\x1b[K").c_str(), stderr);
    drawn_ = true;
}

void ExtractProgressLine::start(const ExtractProgress& progress, Clock::time_point now) {
    first_ = progress;
    start_ = now;
    next_ = now;
}

}  // namespace wordbreadth::cli
