// Memory that starts on a cache line and keeps its size until it must grow.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace wordbreadth::encoder::cpu {

class Buffer {
  public:
    // At least `bytes` bytes. What was there is lost when it grows; new memory is zero.
    void reserve(std::size_t bytes) {
        if (bytes <= bytes_) return;
        const std::size_t whole_lines = (bytes + line - 1) / line * line;
        memory_.reset(std::aligned_alloc(line, whole_lines));
        bytes_ = memory_ ? whole_lines : 0;
        if (!memory_) throw std::bad_alloc();
        std::memset(memory_.get(), 0, whole_lines);
    }

    template <typename Value>
    [[nodiscard]] Value* as() const {
        return static_cast<Value*>(memory_.get());
    }

  private:
    static constexpr std::size_t line = 64;
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    std::size_t bytes_ = 0;
};

}  // namespace wordbreadth::encoder::cpu
