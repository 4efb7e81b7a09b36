// Threads that copy together: one alone is slower than the vectors come from the device. They are kept, since starting
// them takes as long as the copying.
#pragma once

#include <atomic>
#include <barrier>
#include <span>
#include <thread>
#include <vector>

namespace wordbreadth::encoder::cuda {

class Copiers {
  public:
    // The caller's thread is one of them; more than eight are no faster. Where fewer can be started, there are fewer.
    explicit Copiers(unsigned threads);
    Copiers(const Copiers&) = delete;
    Copiers& operator=(const Copiers&) = delete;
    ~Copiers();

    // Returns when all is copied. Not to be called from two threads at once.
    void copy(std::span<const float> from, float* to);

  private:
    void start();
    void take_turns();

    std::span<const float> from_;
    float* to_ = nullptr;
    std::atomic<std::size_t> next_ = 0;
    bool is_over_ = false;
    std::barrier<> begin_, end_;
    std::vector<std::jthread> others_;
};

}  // namespace wordbreadth::encoder::cuda
