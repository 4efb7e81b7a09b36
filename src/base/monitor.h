// Progress and cancellation of one call, seen from many threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>

namespace wordbreadth::base {

class Monitor {
  public:
    // `total` units of work are to be reported through `advance`. `progress` may be empty.
    Monitor(double total, std::function<void(double)> progress, std::stop_token stop);

    // Throws Cancelled when a stop was requested.
    void check() const;

    // Adds finished work and calls the callback, one thread at a time; progress never goes back.
    void advance(double units);

  private:
    double total_;
    std::function<void(double)> progress_;
    std::stop_token stop_;
    std::mutex mutex_;
    double done_ = 0;
};

}  // namespace wordbreadth::base
