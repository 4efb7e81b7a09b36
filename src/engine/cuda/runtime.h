// The CUDA runtime by the names this folder uses, and an arena: one allocation on the device, cut into arrays.
#pragma once

#include <cstddef>

#include "cuda/runtime.h"

namespace wordbreadth::engine::cuda {

using wordbreadth::cuda::Buffer;
using wordbreadth::cuda::check_launch;
using wordbreadth::cuda::Event;
using wordbreadth::cuda::OutOfMemory;
using wordbreadth::cuda::properties;
using wordbreadth::cuda::Stream;

class Arena {
  public:
    // `lay_out(arena)` takes the arrays it needs; it is called twice, first to learn how much they need together.
    template <class LayOut>
    void fill(const LayOut& lay_out) {
        base_ = nullptr;
        used_ = 0;
        lay_out(*this);
        memory_.reserve(used_);
        base_ = memory_.data();
        used_ = 0;
        lay_out(*this);
    }

    template <class T>
    [[nodiscard]] T* take(std::size_t size) {
        std::byte* const at = base_ == nullptr ? nullptr : base_ + used_;
        used_ += (size * sizeof(T) + alignment - 1) / alignment * alignment;
        return reinterpret_cast<T*>(at);
    }

    void release() { memory_ = Buffer<std::byte>(); }

  private:
    static constexpr std::size_t alignment = 256;
    Buffer<std::byte> memory_;
    std::byte* base_ = nullptr;
    std::size_t used_ = 0;
};

}  // namespace wordbreadth::engine::cuda
