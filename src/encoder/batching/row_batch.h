// Sentences that are encoded together, and rows made of their tokens' vectors: of one token, or the mean of several.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "encoder/encoder.h"

namespace wordbreadth::encoder::batching {

// How many tokens to encode together: enough to keep every thread of the CPU, or the GPU's pipeline, busy;
// few enough on a CPU that progress shows. No row depends on it.
[[nodiscard]] inline std::size_t tokens_per_batch(const Encoder& encoder) {
    constexpr std::size_t on_cpu = 16384;
    return encoder.device() == "cuda" ? 16 * on_cpu : on_cpu;
}

class RowBatch {
  public:
    // Consecutive tokens of a sentence, at least one, whose mean is a row.
    struct Row {
        std::size_t token = 0;
        std::size_t tokens = 0;
    };

    // A sentence has at least one token. Its rows, in any order, follow those of the sentences before it.
    void add(std::span<const std::int32_t> ids, std::span<const Row> rows) {
        const std::size_t begin = ids_.size();
        ids_.insert(ids_.end(), ids.begin(), ids.end());
        ends_.push_back(ids_.size());
        for (const Row& row : rows) {
            rows_.push_back({begin + row.token, row.tokens});
            for (std::size_t i = 0; i < row.tokens; ++i) kept_.push_back(begin + row.token + i);
        }
    }

    [[nodiscard]] std::size_t tokens() const { return ids_.size(); }
    [[nodiscard]] std::size_t kept() const { return kept_.size(); }  // tokens whose vectors are needed

    // Empty again, with its memory for the next sentences.
    void clear() {
        ids_.clear();
        ends_.clear();
        rows_.clear();
        kept_.clear();
    }

    // When all sentences are added: what encode() has to do before it begins, which takes a while where the system has
    // to find memory. A device need not wait for it if another thread does it.
    void prepare(std::size_t width) {
        if (std::ranges::adjacent_find(kept_, std::greater_equal<>()) != kept_.end()) {
            std::ranges::sort(kept_);
            kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
        }
        width_ = width;
        const std::size_t values = kept_.size() * width;
        if (values > vectors_.capacity()) {
            vectors_ = {};  // nothing of it is needed: it is not to be copied
            vectors_.reserve(values + values / 8);
        }
        vectors_.resize(values);
    }

    // All sentences. Throws as Encoder::encode does.
    void encode(Encoder& encoder) {
        prepare(encoder.width());
        encoder.encode({ids_, {}, ends_, kept_}, vectors_);
    }

    // What was made of them, (rows, width), until the batch is changed.
    [[nodiscard]] std::span<const float> rows() {
        if (rows_are_kept_tokens()) return vectors_;
        means_.clear();
        for (const Row& row : rows_) append_mean(row);
        return means_;
    }

  private:
    // As they are where each word is one token: there is nothing to do.
    [[nodiscard]] bool rows_are_kept_tokens() const {
        return std::ranges::equal(
            rows_, kept_, [](const Row& row, std::size_t token) { return row.tokens == 1 && row.token == token; });
    }

    void append_mean(const Row& row) {
        const auto first = static_cast<std::size_t>(std::ranges::lower_bound(kept_, row.token) - kept_.begin());
        const auto vector = [&](std::size_t i) { return std::span(vectors_).subspan((first + i) * width_, width_); };
        if (row.tokens == 1) {
            means_.insert(means_.end(), vector(0).begin(), vector(0).end());
            return;
        }
        sum_.assign(width_, 0.0);
        for (std::size_t i = 0; i < row.tokens; ++i)
            for (std::size_t j = 0; j < width_; ++j) sum_[j] += vector(i)[j];
        for (const double sum : sum_) means_.push_back(static_cast<float>(sum / static_cast<double>(row.tokens)));
    }

    std::vector<std::int32_t> ids_;
    std::vector<std::size_t> ends_;
    std::vector<std::size_t> kept_;
    std::vector<Row> rows_;
    std::size_t width_ = 0;       // the encoder's: all layers that are asked for
    std::vector<float> vectors_;  // (kept, width)
    std::vector<float> means_;    // (rows, width)
    std::vector<double> sum_;
};

}  // namespace wordbreadth::encoder::batching
