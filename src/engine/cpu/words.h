// What a cloud brings to every pair that it stands in, computed once.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/backend.h"
#include "engine/cpu/kernels.h"
#include "wordbreadth/cloud.h"

namespace wordbreadth::engine::cpu {

struct Word {
    const Cloud* cloud = nullptr;
    std::vector<float> rows;  // (n, d) the unit rows
    std::vector<float> gram;  // (n, n) x_i . x_j

    [[nodiscard]] std::size_t bytes() const { return (rows.size() + gram.size()) * sizeof(float); }
};

// Keeps each word as long as pairs are to come that it stands in, while there is room.
class Words {
  public:
    Words(const Kernels& kernels, std::span<const PairTask> pairs);

    // May be called from several threads at once.
    [[nodiscard]] std::shared_ptr<const Word> get(const Cloud& cloud);

    // Lets go of everything when more than this much is kept. Words in use stay with their users.
    void trim(std::size_t bytes);

  private:
    struct Slot {
        std::once_flag once;
        std::shared_ptr<const Word> word;
    };
    [[nodiscard]] std::shared_ptr<const Word> make(const Cloud& cloud) const;

    const Kernels& kernels_;
    std::mutex mutex_;
    std::map<const Cloud*, std::size_t> uses_left_;
    std::map<const Cloud*, std::shared_ptr<Slot>> slots_;
};

}  // namespace wordbreadth::engine::cpu
