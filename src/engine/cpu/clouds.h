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

namespace wordbreadth::engine::cpu {

struct PreparedCloud {
    std::vector<float> rows;  // (n, d) the unit rows
    std::vector<float> gram;  // (n, n) x_i . x_j

    [[nodiscard]] std::size_t bytes() const { return (rows.size() + gram.size()) * sizeof(float); }
};

// Keeps each prepared cloud as long as pairs are to come that it stands in, or jobs, while there is room.
class PreparedClouds {
  public:
    explicit PreparedClouds(const Kernels& kernels) : kernels_(kernels) {}

    // Counts the uses that are to come.
    void expect(const Job& job);

    // May be called from several threads at once.
    [[nodiscard]] std::shared_ptr<const PreparedCloud> get(const geometry::UnitRows& cloud);

    // Drops everything when more than this much is kept. Clouds in use stay with their users.
    void trim(std::size_t bytes);
    void forget(const geometry::UnitRows& cloud) { slots_.erase(&cloud); }

  private:
    struct Slot {
        std::once_flag once;
        std::shared_ptr<const PreparedCloud> prepared;
    };
    [[nodiscard]] std::shared_ptr<const PreparedCloud> prepare(const geometry::UnitRows& cloud) const;

    const Kernels& kernels_;
    std::mutex mutex_;
    bool keep_ = false;
    std::map<const geometry::UnitRows*, std::size_t> uses_left_;
    std::map<const geometry::UnitRows*, std::shared_ptr<Slot>> slots_;
};

}  // namespace wordbreadth::engine::cpu
