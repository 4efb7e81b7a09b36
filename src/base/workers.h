// Threads: how many, a pool of them that runs numbered pieces of work, and what they report.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "wordbreadth/error.h"
#include "wordbreadth/timing.h"

namespace wordbreadth::base {

// `asked`, or where it is 0 OMP_NUM_THREADS, else one thread per core. Throws InputError past limits::threads.
[[nodiscard]] unsigned thread_count(unsigned asked);

class Workers {
  public:
    // What is run: a piece's number, and the number of the thread that runs it (0 .. size() - 1).
    using Piece = std::function<void(std::size_t piece, std::size_t worker)>;

    // The calling thread is one of the `threads`. There are fewer where the system refuses to start more.
    explicit Workers(unsigned threads);
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    ~Workers();

    [[nodiscard]] std::size_t size() const { return threads_.size() + 1; }

    // Runs pieces 0 .. count - 1 and returns when all are done. The first exception that a piece throws stops the
    // taking of new ones and is thrown again here. No more threads are woken than there are pieces, and none is waited
    // for that comes when all pieces are taken.
    void run(std::size_t count, const Piece& piece);

  private:
    void serve(std::size_t worker);
    void take_pieces(std::unique_lock<std::mutex>& lock, std::size_t worker);
    [[nodiscard]] bool is_work_left() const { return next_ < count_ && !failure_; }

    std::mutex mutex_;
    std::condition_variable work_arrived_;
    std::condition_variable work_done_;
    const Piece* piece_ = nullptr;
    std::size_t next_ = 0;
    std::size_t count_ = 0;
    std::size_t busy_ = 0;  // threads inside take_pieces
    bool closing_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

// Progress, cancellation and timing of one call, seen from many threads.
class Monitor {
  public:
    // `total` units of work are to be reported through `advance`. `progress` may be empty.
    Monitor(double total, std::function<void(double)> progress, std::stop_token stop, Timing* timing = nullptr)
        : total_(total), progress_(std::move(progress)), stop_(std::move(stop)), timing_(timing) {}

    // Throws Cancelled when a stop was requested, or the call has failed.
    void check() const {
        if (failed_ || stop_.stop_requested()) throw Cancelled();
    }

    // One of the call's threads has failed: the others need not go on.
    void fail() { failed_ = true; }

    // Adds finished work and calls the callback, one thread at a time; progress never goes back.
    void advance(double units) {
        if (!progress_) return;
        const std::lock_guard lock(mutex_);
        done_ += units;
        progress_(std::min(done_ / total_, 1.0));
    }

    // Of the call; null where it has none.
    [[nodiscard]] Timing* timing() const { return timing_; }

  private:
    double total_;
    std::function<void(double)> progress_;
    std::stop_token stop_;
    Timing* timing_;
    std::atomic<bool> failed_ = false;
    std::mutex mutex_;
    double done_ = 0;
};

}  // namespace wordbreadth::base
