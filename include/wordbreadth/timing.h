// Where the time of a call goes, stage by stage.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace wordbreadth {

// A recorder, for Execution::timing and ExtractOptions::timing. It must outlive the calls that it is given to; several
// calls and threads may share one.
class Timing {
  public:
    // The wall time in which at least one thread was in the stage.
    struct Spent {
        std::string stage;
        double seconds = 0;
        double overlapping = 0;  // of these, the seconds in which another stage was under way too
        double cpu_seconds = 0;  // that all threads of the process used meanwhile, in whatever stage
    };

    // Since the recorder started. What each stage spent alone (its seconds less those that overlap), what several spent
    // at once and what was spent outside add up to the whole.
    struct Whole {
        double seconds = 0;
        double overlapping = 0;  // with more than one stage under way
        double outside = 0;      // with none
        double user_seconds = 0, system_seconds = 0;
        std::uint64_t peak_bytes = 0;  // of resident memory, since the process started
    };

    Timing();  // starts

    // As if it had started with the process, with a stage of that name until now. To about 10 ms, as Linux tells when a
    // process began.
    [[nodiscard]] static Timing since_process_start(std::string_view stage);

    Timing(const Timing&) = delete;
    Timing& operator=(const Timing&) = delete;

    // The calling thread is in a stage while an object of this class lives, which it must end itself. One within
    // another interrupts it: a thread is in one stage at a time. Without a recorder nothing happens.
    //
    // A thread that waits for others is in its stage meanwhile; where those are in stages of their own, it should be in
    // none, which is the stage without a name. Takes about a microsecond: for stages of the work, not for its innermost
    // loops.
    class Stage {
      public:
        Stage(Timing* timing, std::string_view name) : timing_(timing) {
            if (timing_ != nullptr) before_ = timing_->enter(timing_->find(name));
        }
        ~Stage() {
            if (timing_ != nullptr) timing_->enter(before_);
        }
        Stage(const Stage&) = delete;
        Stage& operator=(const Stage&) = delete;

      private:
        Timing* timing_;
        std::size_t before_ = 0;
    };

    // In the order in which they first began; those under way until now. May be called at any time.
    [[nodiscard]] std::vector<Spent> stages() const;
    [[nodiscard]] Whole whole() const;

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t none = 0;  // the first entry: the time outside of stages

    struct Entry {
        Spent spent;
        std::size_t threads = 0;
    };

    Timing(double age, std::string_view stage);

    std::size_t find(std::string_view name);
    std::size_t enter(std::size_t stage);  // returns the stage that the thread leaves
    void advance() const;

    Clock::time_point start_ = Clock::now();
    double user_before_ = 0, system_before_ = 0;

    mutable std::mutex mutex_;
    mutable Clock::time_point last_ = start_;  // until then everything is added up
    mutable double cpu_last_ = 0;
    mutable double overlapping_ = 0;
    mutable std::vector<Entry> entries_;
    std::map<std::thread::id, std::size_t> in_;  // the stage of each thread that is in one
};

// Returns work(), in that stage.
template <class Work>
decltype(auto) timed(Timing* timing, std::string_view stage, Work&& work) {
    const Timing::Stage in(timing, stage);
    return std::forward<Work>(work)();
}

}  // namespace wordbreadth
