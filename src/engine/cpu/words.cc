#include "engine/cpu/words.h"

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

Words::Words(const Kernels& kernels, std::span<const PairTask> pairs) : kernels_(kernels) {
    for (const PairTask& pair : pairs) {
        ++uses_left_[pair.x];
        ++uses_left_[pair.y];
    }
}

std::shared_ptr<const Word> Words::get(const Cloud& cloud) {
    std::shared_ptr<Slot> slot;
    {
        const std::lock_guard lock(mutex_);
        std::shared_ptr<Slot>& entry = slots_[&cloud];
        if (!entry) entry = std::make_shared<Slot>();
        slot = entry;
        std::size_t& uses = uses_left_[&cloud];
        if (uses <= 1) slots_.erase(&cloud);
        uses -= uses > 0;
    }
    std::call_once(slot->once, [&] { slot->word = make(cloud); });
    return slot->word;
}

void Words::trim(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    std::size_t total = 0;
    for (const auto& [cloud, slot] : slots_) total += slot->word ? slot->word->bytes() : 0;
    if (total > bytes) slots_.clear();
}

std::shared_ptr<const Word> Words::make(const Cloud& cloud) const {
    auto word = std::make_shared<Word>();
    const std::size_t n = cloud.size();
    const std::size_t d = cloud.dimension();
    word->cloud = &cloud;
    word->rows.resize(n * d);
    kernels_.to_float(cloud.unit_rows().data(), n * d, word->rows.data());
    word->gram.resize(n * n);
    symmetric_products(word->rows.data(), n, d, word->gram.data());
    return word;
}

}  // namespace wordbreadth::engine::cpu
