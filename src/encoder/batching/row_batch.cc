#include "encoder/batching/row_batch.h"

#include <algorithm>

namespace wordbreadth::encoder::batching {

std::size_t tokens_per_batch(const Encoder& encoder) {
    constexpr std::size_t on_cpu = 16384;
    return encoder.device() == "cuda" ? 16 * on_cpu : on_cpu;
}

void RowBatch::add(std::span<const std::int32_t> ids, std::span<const Row> rows) {
    const std::size_t begin = ids_.size();
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    ends_.push_back(ids_.size());
    for (const Row& row : rows) {
        rows_.push_back({begin + row.token, row.tokens});
        for (std::size_t i = 0; i < row.tokens; ++i) kept_.push_back(begin + row.token + i);
    }
}

void RowBatch::encode(Encoder& encoder, std::vector<float>& to) {
    std::ranges::sort(kept_);
    kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
    const std::size_t hidden = encoder.config().hidden;
    vectors_.resize(kept_.size() * hidden);
    encoder.encode({ids_, {}, ends_, kept_}, vectors_);
    for (const Row& row : rows_) append_mean(row, hidden, to);
    ids_.clear();
    ends_.clear();
    rows_.clear();
    kept_.clear();
}

void RowBatch::append_mean(const Row& row, std::size_t hidden, std::vector<float>& to) {
    const auto first = static_cast<std::size_t>(std::ranges::lower_bound(kept_, row.token) - kept_.begin());
    const auto vector = [&](std::size_t i) { return std::span(vectors_).subspan((first + i) * hidden, hidden); };
    if (row.tokens == 1) {
        to.insert(to.end(), vector(0).begin(), vector(0).end());
        return;
    }
    sum_.assign(hidden, 0.0);
    for (std::size_t i = 0; i < row.tokens; ++i)
        for (std::size_t j = 0; j < hidden; ++j) sum_[j] += vector(i)[j];
    for (const double sum : sum_) to.push_back(static_cast<float>(sum / static_cast<double>(row.tokens)));
}

}  // namespace wordbreadth::encoder::batching
