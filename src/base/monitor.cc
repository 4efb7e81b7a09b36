#include "base/monitor.h"

#include <algorithm>
#include <utility>

#include "wordbreadth/error.h"

namespace wordbreadth::base {

Monitor::Monitor(double total, std::function<void(double)> progress, std::stop_token stop)
    : total_(total), progress_(std::move(progress)), stop_(std::move(stop)) {}

void Monitor::check() const {
    if (stop_.stop_requested()) throw Cancelled();
}

void Monitor::advance(double units) {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    done_ += units;
    progress_(std::min(done_ / total_, 1.0));
}

}  // namespace wordbreadth::base
