#include "cli/progress.h"

#include <algorithm>
#include <cstdio>

#include "report/breadth.h"
#include "report/extraction.h"
#include "report/table/number.h"

namespace wordbreadth::cli {

std::function<void(double)> Progress::callback() {
    if (note_.empty() && !on_a_terminal_) return {};
    return [this](double done) {
        if (done < 1) print_note();  // at the end it may still turn out that there is no result
        draw([&](double spent) {
            const double share = std::clamp(done, 0.0, 1.0);
            const bool can_tell = share > 0.01 && share < 1;
            return report::progress_bar(share) + (can_tell ? " " + report::time_left(spent / share * (1 - share)) : "");
        });
    };
}

std::function<void(const ExtractProgress&)> Progress::callback(ExtractUnit unit) {
    if (!on_a_terminal_) return {};
    return [this, unit](const ExtractProgress& progress) {
        if (!first_ || first_->stage != progress.stage) {
            first_ = progress;
            start_ = next_ = Clock::now();
        }
        draw([&](double spent) { return report::progress_line(*first_, progress, spent, unit); });
    };
}

void Progress::print_note() {
    if (note_.empty()) return;
    erase();
    std::fputs(std::exchange(note_, {}).c_str(), stderr);
}

void Progress::draw(const std::function<std::string(double spent)>& line) {
    const Clock::time_point now = Clock::now();
    if (!on_a_terminal_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    drawn_ = true;
    std::fputs(("\r" + line(std::chrono::duration<double>(now - start_).count()) + "\x1b[K").c_str(), stderr);
}

void Progress::erase() {
    if (std::exchange(drawn_, false)) std::fputs("\r\x1b[K", stderr);
}

std::string fallback_note(const Execution& execution, Format format) {
    const bool any_device_will_do = execution.device == "auto" && execution.instruction_set.empty();
    if (!any_device_will_do || format != Format::text) return {};
    const std::string reason = report::why_no_gpu();
    return reason.empty() ? "" : "wordbreadth: note: running on the CPU, no GPU is used: " + reason + "\n";
}

}  // namespace wordbreadth::cli
