#include "base/workers.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <list>
#include <string>
#include <utility>

#include "base/reserve.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::base {

namespace {

// Left for the work: for all of it, and for each thread, of which the memory allocator takes 64 MB alone.
constexpr std::size_t room_for_all = 128 * 1024 * 1024;
constexpr std::size_t room_for_each = 128 * 1024 * 1024;

}  // namespace

unsigned thread_count(unsigned asked) {
    if (asked > limits::threads)
        throw InputError("threads = " + std::to_string(asked) + "; expected 1 to " + std::to_string(limits::threads));
    if (asked != 0) return asked;
    if (const char* wanted = std::getenv("OMP_NUM_THREADS")) {
        unsigned threads = 0;
        // OMP_NUM_THREADS may be a list, one number per nesting level; the first is ours.
        const auto [rest, error] = std::from_chars(wanted, wanted + std::strlen(wanted), threads);
        if (error == std::errc{} && threads >= 1 && threads <= limits::threads) return threads;
    }
    return std::max(1U, std::thread::hardware_concurrency());
}

Workers::Workers(unsigned threads) {
    threads_.reserve(threads);
    std::list<Reserve> rooms;
    rooms.emplace_back(room_for_all);
    for (unsigned worker = 1; worker < threads; ++worker) {
        try {
            rooms.emplace_back(room_for_each);
            if (!rooms.front().is_there() || !rooms.back().is_there()) return;
            threads_.emplace_back([this, worker] { serve(worker); });
        } catch (const std::exception&) {
            return;  // at a limit on processes or memory: no more would start, and these do all the work
        }
    }
}

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    work_arrived_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Workers::run(std::size_t count, const Piece& piece) {
    if (count == 0) return;
    {
        const std::lock_guard lock(mutex_);
        piece_ = &piece;
        next_ = 0;
        count_ = count;
    }
    const std::size_t helpers = std::min(count - 1, threads_.size());
    if (helpers == threads_.size())
        work_arrived_.notify_all();
    else
        for (std::size_t i = 0; i < helpers; ++i) work_arrived_.notify_one();
    std::unique_lock lock(mutex_);
    take_pieces(lock, 0);
    work_done_.wait(lock, [this] { return busy_ == 0; });
    count_ = 0;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Workers::serve(std::size_t worker) {
    std::unique_lock lock(mutex_);
    for (;;) {
        work_arrived_.wait(lock, [this] { return closing_ || is_work_left(); });
        if (closing_) return;
        take_pieces(lock, worker);
    }
}

void Workers::take_pieces(std::unique_lock<std::mutex>& lock, std::size_t worker) {
    ++busy_;
    while (is_work_left()) {
        const std::size_t piece = next_++;
        lock.unlock();
        std::exception_ptr failure;
        try {
            (*piece_)(piece, worker);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        if (failure && !failure_) failure_ = failure;
    }
    if (--busy_ == 0) work_done_.notify_all();
}

}  // namespace wordbreadth::base
