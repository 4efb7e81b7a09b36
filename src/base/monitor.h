// Progress and cancellation of one call, seen from many threads.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <stop_token>
#include <utility>

#include "wordbreadth/error.h"

namespace wordbreadth::base {

class Monitor {
  public:
    // `total` units of work are to be reported through `advance`. `progress` may be empty.
    Monitor(double total, std::function<void(double)> progress, std::stop_token stop)
        : total_(total), progress_(std::move(progress)), stop_(std::move(stop)) {}

    // Throws Cancelled when a stop was requested.
    void check() const {
        if (stop_.stop_requested()) throw Cancelled();
    }

    // Adds finished work and calls the callback, one thread at a time; progress never goes back.
    void advance(double units) {
        if (!progress_) return;
        const std::lock_guard lock(mutex_);
        done_ += units;
        progress_(std::min(done_ / total_, 1.0));
    }

  private:
    double total_;
    std::function<void(double)> progress_;
    std::stop_token stop_;
    std::mutex mutex_;
    double done_ = 0;
};

}  // namespace wordbreadth::base
