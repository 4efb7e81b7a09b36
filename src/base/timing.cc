#include "wordbreadth/timing.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace wordbreadth {
namespace {

double seconds(const timespec& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double now(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return seconds(time);
}

// Of all threads, those that have ended included.
double cpu_seconds() {
    return now(CLOCK_PROCESS_CPUTIME_ID);
}

rusage use_of_process() {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return use;
}

// The 22nd field of /proc/self/stat: ticks of the clock between the start of the machine and that of the process. The
// second field, the program's name in brackets, may hold anything. 0 where it cannot be read.
double ticks_at_start() {
    std::ifstream file("/proc/self/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::size_t at = text.rfind(')');
    for (int field = 2; field < 22 && at != std::string::npos; ++field) at = text.find(' ', at + 1);
    return at == std::string::npos ? 0 : std::strtod(text.c_str() + at, nullptr);
}

// How long ago the process started. Linux rounds that down to a tick, so it was later by up to one; and not later than
// the time that it has computed for: little else happens before main where files are in memory.
double age_of_process() {
    const double tick = 1 / static_cast<double>(sysconf(_SC_CLK_TCK)), start = ticks_at_start() * tick;
    if (!(start > 0)) return cpu_seconds();
    const double most = now(CLOCK_BOOTTIME) - start;
    return std::clamp(cpu_seconds(), std::max(most - tick, 0.0), std::max(most, 0.0));
}

}  // namespace

Timing::Timing() : cpu_last_(cpu_seconds()), entries_(1) {
    const rusage use = use_of_process();
    user_before_ = seconds(use.ru_utime);
    system_before_ = seconds(use.ru_stime);
}

Timing Timing::since_process_start(std::string_view stage) {
    return Timing(age_of_process(), stage);
}

Timing::Timing(double age, std::string_view stage) : cpu_last_(cpu_seconds()), entries_(1) {
    start_ -= std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(age));
    entries_.push_back({{std::string(stage), age, 0, cpu_last_}});
}

std::vector<Timing::Spent> Timing::stages() const {
    const std::lock_guard lock(mutex_);
    advance();
    std::vector<Spent> found;
    for (std::size_t i = none + 1; i < entries_.size(); ++i) found.push_back(entries_[i].spent);
    return found;
}

Timing::Whole Timing::whole() const {
    const std::lock_guard lock(mutex_);
    advance();
    const rusage use = use_of_process();
    return {std::chrono::duration<double>(last_ - start_).count(),
            overlapping_,
            entries_[none].spent.seconds,
            seconds(use.ru_utime) - user_before_,
            seconds(use.ru_stime) - system_before_,
            static_cast<std::uint64_t>(use.ru_maxrss) * 1024};
}

std::size_t Timing::find(std::string_view name) {
    if (name.empty()) return none;
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(entries_.begin() + 1, entries_.end(),
                                    [&](const Entry& entry) { return entry.spent.stage == name; });
    const auto place = static_cast<std::size_t>(known - entries_.begin());
    if (known == entries_.end()) entries_.push_back({{std::string(name)}});
    return place;
}

std::size_t Timing::enter(std::size_t stage) {
    const std::lock_guard lock(mutex_);
    advance();
    const std::thread::id thread = std::this_thread::get_id();
    const auto in = in_.find(thread);
    const std::size_t before = in == in_.end() ? none : in->second;
    if (before != none) --entries_[before].threads;
    if (stage == none) {
        in_.erase(thread);
    } else {
        in_[thread] = stage;
        ++entries_[stage].threads;
    }
    return before;
}

// Adds the time since it was last called to the stages that were under way in it.
void Timing::advance() const {
    const Clock::time_point now = Clock::now();
    const double cpu = cpu_seconds(), spent = std::chrono::duration<double>(now - last_).count();
    const double spent_cpu = cpu - cpu_last_;
    const auto under_way =
        std::count_if(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.threads > 0; });
    if (under_way == 0) entries_[none].spent.seconds += spent;
    if (under_way > 1) overlapping_ += spent;
    for (Entry& entry : entries_) {
        if (entry.threads == 0) continue;
        entry.spent.seconds += spent;
        entry.spent.cpu_seconds += spent_cpu;
        if (under_way > 1) entry.spent.overlapping += spent;
    }
    last_ = now;
    cpu_last_ = cpu;
}

}  // namespace wordbreadth
