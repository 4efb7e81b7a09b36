#include "cli/extract_progress.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "report/number.h"

namespace wordbreadth::cli {
namespace {

using Stage = ExtractProgress::Stage;

constexpr std::size_t bar_width = 20;

const char* name_of(Stage stage) {
    switch (stage) {
        case Stage::reading:
            return "reading the corpus";
        case Stage::collecting:
            return "collecting sentences";
        case Stage::embedding:
            return "embedding";
        case Stage::joining:
            return "writing the clouds";
    }
    return "";
}

const char* unit_of(Stage stage) {
    return stage == Stage::reading ? " words/s" : stage == Stage::collecting ? " rows/s" : " tokens/s";
}

std::string bar(double done) {
    const auto filled = static_cast<std::size_t>(done * bar_width);
    return std::string("[").append(filled, '#').append(bar_width - filled, '.') + "]";
}

// Of one stage, `spent` seconds after its first report.
std::string line_of(const ExtractProgress& first, const ExtractProgress& now, double spent) {
    const double done = std::clamp(now.done, 0.0, 1.0);
    std::string line = std::string("\r") + name_of(now.stage);
    if (now.stage == Stage::joining) return line;
    line += " " + report::fixed(100 * done, 0) + "% " + bar(done);
    const auto units = static_cast<double>(now.units - first.units);
    const double gained = done - first.done;
    if (spent < 0.5 || gained <= 0) return line;
    line += " " + report::count(static_cast<std::uint64_t>(units / spent)) + unit_of(now.stage);
    return line + ", " + report::duration(spent / gained * (1 - done)) + " left";
}

}  // namespace

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
    std::fputs((line_of(*first_, progress, spent) + "\x1b[K").c_str(), stderr);
    drawn_ = true;
}

void ExtractProgressLine::start(const ExtractProgress& progress, Clock::time_point now) {
    first_ = progress;
    start_ = now;
    next_ = now;
}

}  // namespace wordbreadth::cli
