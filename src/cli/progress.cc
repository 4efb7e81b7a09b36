#include "cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "report/number.h"

namespace wordbreadth::cli {
namespace {

constexpr std::size_t bar_width = 30;

std::string bar(double done) {
    const auto filled = static_cast<std::size_t>(done * bar_width);
    return std::string("[").append(filled, '#').append(bar_width - filled, '.') + "]";
}

}  // namespace

Progress::~Progress() {
    erase();
}

std::function<void(double)> Progress::callback() {
    if (note_.empty() && !on_a_terminal_) return {};
    return [this](double done) { update(done); };
}

void Progress::print_note() {
    if (note_.empty()) return;
    erase();
    std::fputs(std::exchange(note_, {}).c_str(), stderr);
}

void Progress::erase() {
    if (std::exchange(drawn_, false)) std::fputs("\r\x1b[K", stderr);
}

void Progress::update(double done) {
    if (done < 1) print_note();  // at the end it may still turn out that there is no result
    if (on_a_terminal_) draw(done);
}

void Progress::draw(double done) {
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    drawn_ = true;

    done = std::clamp(done, 0.0, 1.0);
    std::string line = "\r";
    line += report::fixed(100 * done, 0) + "% " + bar(done);
    const double spent = std::chrono::duration<double>(now - start_).count();
    if (done > 0.01) line += ' ' + report::duration(spent / done * (1 - done)) + " left";
    std::fputs((line + "\x1b[K").c_str(), stderr);
}

}  // namespace wordbreadth::cli
