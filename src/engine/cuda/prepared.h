// Pairs on the device, ready to meet splits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/backend.h"
#include "engine/cuda/batch.h"
#include "engine/cuda/residents.h"
#include "engine/cuda/runtime.h"

namespace wordbreadth::engine::cuda {

inline constexpr int largest_gram = 4096;  // N; K takes 32 MiB there

[[nodiscard]] Shape shape_of(const Job& job);

// Whether K is made for the pairs of a job, given how much shared memory a block may have. If not, every split is
// decided by the vectors themselves.
[[nodiscard]] bool has_gram(const Job& job, std::size_t shared_bytes);

// Device memory for one pair, its clouds left out.
[[nodiscard]] std::size_t bytes_of_pair(const Shape& shape, bool gram);

class Prepared {
  public:
    Prepared(Residents& residents, Arena& arena, const Stream& stream)
        : residents_(residents), arena_(arena), stream_(stream) {}

    // Starts the preparing of `pairs`; what follows in the stream finds them ready.
    void prepare(const Job& job, std::span<const PairTask> pairs, bool gram);

    [[nodiscard]] const Batch& batch() const { return batch_; }

  private:
    void lay_out(Arena& arena, const Shape& shape, std::size_t pairs, bool gram);

    Residents& residents_;
    Arena& arena_;
    const Stream& stream_;
    Batch batch_{};
    PairSource* source_ = nullptr;
    std::vector<PairSource> uploaded_;  // alive until the copy is done
};

}  // namespace wordbreadth::engine::cuda
