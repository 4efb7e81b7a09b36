// One piece on its way: to the device, through the layers, and back. Several flights take turns, so that the device has
// the next piece while the vectors of the last one come home.
#pragma once

#include "encoder/cuda/copiers.h"
#include "encoder/cuda/pass.h"
#include "encoder/cuda/pinned.h"

namespace wordbreadth::encoder::cuda {

using ::wordbreadth::cuda::Event;

// What is done in one of them is done in order.
struct Streams {
    Stream up, work, down;
};

class Flight {
  public:
    // For pieces of up to so many tokens, of which up to so many are kept; while none is on its way. Throws
    // OutOfMemory.
    void reserve(std::size_t tokens, std::size_t kept, const Sizes& sizes);
    void release();

    // The batch is not needed any more once this returns.
    void start(const Batch& batch, const Piece& piece, Pass& pass, LayerRange layers, const Sizes& sizes,
               const Streams& streams);

    // Waits, and fills the piece's part of `vectors` (all that is kept of the batch, hidden).
    // Throws NotFinite.
    void finish(std::span<float> vectors, const Sizes& sizes, Copiers& copiers);

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
