#include "engine/cpu/clouds.h"

#include <algorithm>

#include "engine/cpu/onednn.h"

namespace wordbreadth::engine::cpu {
namespace {

// A A^T by blocks of rows up to the diagonal, then mirrored.
void symmetric_products(const float* a, std::size_t n, std::size_t dimension, float* c) {
    constexpr std::size_t block = 128;  // smaller products run slower than they save
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t rows = std::min(block, n - first);
        multiply_closely(rows, first + rows, dimension, a + first * dimension, a, c + first * n, n);
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i / block * block + block; j < n; ++j) c[i * n + j] = c[j * n + i];
}

}  // namespace

void PreparedClouds::expect(const Job& job) {
    keep_ = job.keep;
    if (!keep_) slots_.clear();
    uses_left_.clear();
    for (const PairTask& pair : job.pairs) {
        ++uses_left_[pair.x];
        ++uses_left_[pair.y];
    }
}

std::shared_ptr<const PreparedCloud> PreparedClouds::get(const geometry::UnitRows& cloud) {
    std::shared_ptr<Slot> slot;
    {
        const std::lock_guard lock(mutex_);
        std::shared_ptr<Slot>& entry = slots_[&cloud];
        if (!entry) entry = std::make_shared<Slot>();
        slot = entry;
        std::size_t& uses = uses_left_[&cloud];
        if (uses <= 1 && !keep_) slots_.erase(&cloud);
        uses -= uses > 0;
    }
    std::call_once(slot->once, [&] { slot->prepared = prepare(cloud); });
    return slot->prepared;
}

void PreparedClouds::trim(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    std::size_t total = 0;
    for (const auto& [cloud, slot] : slots_) total += slot->prepared ? slot->prepared->bytes() : 0;
    if (total > bytes) slots_.clear();
}

std::shared_ptr<const PreparedCloud> PreparedClouds::prepare(const geometry::UnitRows& cloud) const {
    auto prepared = std::make_shared<PreparedCloud>();
    const std::size_t n = cloud.size();
    const std::size_t d = cloud.dimension();
    prepared->rows.resize(n * d);
    std::vector<double> scratch;
    for (std::size_t i = 0; i < n; ++i) kernels_.to_float(cloud.row(i, scratch).data(), d, &prepared->rows[i * d]);
    prepared->gram.resize(n * n);
    symmetric_products(prepared->rows.data(), n, d, prepared->gram.data());
    return prepared;
}

}  // namespace wordbreadth::engine::cpu
