#include "engine/company.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace wordbreadth::engine {
namespace {

// A further GPU is started where the rest of the work would take this long without it. Its driver starts in 0.2 to
// 0.5 seconds beside the work, needs some hundred megabytes of its memory and takes a tenth of a second to end, and its
// clouds have to be copied to it as well: what lasts a second gains nothing.
constexpr double seconds_worth_a_start = 2;

class Company {
  public:
    Company(Backend& backend, std::span<const double> sizes, const std::function<void(Backend&, std::size_t)>& work,
            base::Monitor& monitor)
        : backend_(backend),
          sizes_(sizes),
          work_(work),
          monitor_(monitor),
          left_(std::accumulate(sizes.begin(), sizes.end(), 0.0)),
          is_at_work_(backend.companions()) {}
    Company(const Company&) = delete;
    Company& operator=(const Company&) = delete;
    ~Company() {
        wait();
        backend_.add_busy_seconds(elapsed());
    }

    void run() try {
        call_companions();
        while (const std::optional<std::size_t> next = take()) {
            work_(backend_, *next);
            finish(*next);
            call_companions();
        }
        wait();
        for (const std::size_t left : given_back_) {
            monitor_.check();
            work_(backend_, left);
        }
    } catch (...) {
        close();
        monitor_.fail();
        throw;
    }

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    [[nodiscard]] std::optional<std::size_t> take() {
        const std::lock_guard lock(mutex_);
        return next_ < sizes_.size() ? std::optional(next_++) : std::nullopt;
    }
    void close() {
        const std::lock_guard lock(mutex_);
        next_ = sizes_.size();
    }
    void finish(std::size_t done) {
        const std::lock_guard lock(mutex_);
        left_ -= sizes_[done];
        done_ += sizes_[done];
    }

    // Those that are running take part in any work for several; others are started for what is worth it, or after
    // earlier calls that together were.
    [[nodiscard]] bool is_work_for_several() {
        const std::lock_guard lock(mutex_);
        if (sizes_.size() - next_ < 2) return false;
        if (backend_.has_company() || backend_.busy_seconds() >= seconds_worth_a_start) return true;
        return done_ > 0 && elapsed() * left_ / done_ >= seconds_worth_a_start;
    }

    void call_companions() {
        if (threads_.size() == is_at_work_.size() || !is_work_for_several()) return;
        for (std::size_t k = 0; k < is_at_work_.size(); ++k) {
            if (is_at_work_[k]) continue;
            Backend* const companion = backend_.companion(k);
            if (companion == nullptr) continue;
            try {
                threads_.emplace_back([this, companion] { serve(*companion); });
                is_at_work_[k] = true;
            } catch (const std::system_error&) {  // at a limit on threads: done without it
            }
        }
    }

    void serve(Backend& companion) {
        while (const std::optional<std::size_t> next = take()) {
            try {
                work_(companion, *next);
                finish(*next);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                given_back_.push_back(*next);
                return;
            }
        }
    }

    void wait() {
        const Timing::Stage waiting(monitor_.timing(), "");  // the threads are in stages of their own
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
    }

    Backend& backend_;
    std::span<const double> sizes_;
    const std::function<void(Backend&, std::size_t)>& work_;
    base::Monitor& monitor_;
    const Clock::time_point start_ = Clock::now();

    std::mutex mutex_;  // of these:
    std::size_t next_ = 0;
    double left_, done_ = 0;
    std::vector<std::size_t> given_back_;

    std::vector<bool> is_at_work_;  // by companion
    std::vector<std::thread> threads_;
};

}  // namespace

void run_with_company(Backend& backend, std::span<const double> sizes,
                      const std::function<void(Backend&, std::size_t)>& work, base::Monitor& monitor) {
    Company(backend, sizes, work, monitor).run();
}

}  // namespace wordbreadth::engine
