// Fills the device's memory, to see what happens where little of it is left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cuda/runtime.h"

namespace wordbreadth::cuda {

inline constexpr std::size_t mib = std::size_t{1} << 20;

inline std::size_t free_memory() {
    std::size_t free = 0;
    std::size_t total = 0;
    WORDBREADTH_CUDA(cudaMemGetInfo(&free, &total));
    return free;
}

// Leaves `rest` bytes free, or a little less, until its end.
class Ballast {
  public:
    explicit Ballast(std::size_t rest) {
        std::size_t piece = free_memory();
        while (piece >= mib && free_memory() > rest) {
            piece = std::min(piece, free_memory() - rest);
            try {
                pieces_.emplace_back(piece);
            } catch (const OutOfMemory&) {
                piece /= 2;  // there is no stretch so long
            }
        }
    }

  private:
    std::vector<Buffer<std::byte>> pieces_;
};

}  // namespace wordbreadth::cuda
