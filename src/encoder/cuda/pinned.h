// Memory of the host that the device reads and writes itself, while both do other things.
#pragma once

#include <cstddef>
#include <memory>

#include "cuda/runtime.h"

namespace wordbreadth::encoder::cuda {

template <class T>
class Pinned {
  public:
    // At least `size` elements; what was in it is lost when it grows. Throws OutOfMemory.
    void reserve(std::size_t size) {
        if (size <= size_) return;
        release();
        void* memory = nullptr;
        WORDBREADTH_CUDA(cudaHostAlloc(&memory, size * sizeof(T), cudaHostAllocDefault));
        memory_.reset(static_cast<T*>(memory));
        size_ = size;
    }
    void release() {
        memory_.reset();
        size_ = 0;
    }

    [[nodiscard]] T* data() const { return memory_.get(); }

  private:
    struct Free {
        void operator()(T* memory) const { static_cast<void>(cudaFreeHost(memory)); }
    };
    std::unique_ptr<T, Free> memory_;
    std::size_t size_ = 0;
};

}  // namespace wordbreadth::encoder::cuda
