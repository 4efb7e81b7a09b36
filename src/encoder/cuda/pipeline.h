// A pipeline: one piece is copied to the device, another goes through the layers, and the vectors of a third come back.
#pragma once

#include <cstddef>
#include <memory>

#include "base/workers.h"
#include "encoder/cuda/pass.h"

namespace wordbreadth::encoder::cuda {

using ::wordbreadth::cuda::Event;

// Memory of the host that the device reads and writes itself, while both do other things.
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

// What is done in one of them is done in order.
struct Streams {
    Stream up, work, down;
};

// Room for one piece in the pipeline. Several slots take turns.
class Slot {
  public:
    // For pieces of up to `tokens` tokens, of which up to `kept` are kept. Not while a piece is running. Throws
    // OutOfMemory.
    void reserve(std::size_t tokens, std::size_t kept, const Sizes& sizes);
    void release();

    // The batch is not needed any more once this returns.
    void start(const Batch& batch, const Piece& piece, Pass& pass, LayerRange layers, const Sizes& sizes,
               const Streams& streams);

    // Waits, and fills the piece's part of `vectors` (all that is kept of the batch, hidden), on all threads of
    // `copiers`: one alone copies more slowly than the vectors come from the device.
    // Throws NotFinite.
    void finish(std::span<float> vectors, const Sizes& sizes, base::Workers& copiers);

  private:
    void send(const Streams& streams);
    void fetch(const Sizes& sizes, const Streams& streams);

    PackedPiece packed_;
    std::size_t first_kept_ = 0;
    Pinned<std::int32_t> host_numbers_;
    Pinned<float> host_vectors_;            // (kept, hidden)
    Pinned<std::int32_t> host_not_finite_;  // (1)
    Buffer<std::int32_t> numbers_;
    Buffer<float> vectors_;            // (kept, row)
    Buffer<std::int32_t> not_finite_;  // (1)
    Event sent_, worked_, fetched_;
};

}  // namespace wordbreadth::encoder::cuda
