// Sentences that are encoded together, and rows made of their tokens' vectors: of one token, or the mean of several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "encoder/encoder.h"

namespace wordbreadth::encoder::batching {

// How many tokens to encode together: enough to keep every thread of the CPU, or the GPU's pipeline, busy;
// few enough on a CPU that progress shows. No row depends on it.
[[nodiscard]] std::size_t tokens_per_batch(const Encoder& encoder);

class RowBatch {
  public:
    // Consecutive tokens of a sentence, at least one, whose mean is a row.
    struct Row {
        std::size_t token = 0;
        std::size_t tokens = 0;
    };

    // A sentence has at least one token. Its rows, in any order, follow those of the sentences before it.
    void add(std::span<const std::int32_t> ids, std::span<const Row> rows);

    [[nodiscard]] std::size_t tokens() const { return ids_.size(); }

    // Appends the rows, (rows, hidden), to `to` and becomes empty. Throws as Encoder::encode does.
    void encode(Encoder& encoder, std::vector<float>& to);

  private:
    void append_mean(const Row& row, std::size_t hidden, std::vector<float>& to);

    std::vector<std::int32_t> ids_;
    std::vector<std::size_t> ends_;
    std::vector<std::size_t> kept_;
    std::vector<Row> rows_;
    std::vector<float> vectors_;
    std::vector<double> sum_;
};

}  // namespace wordbreadth::encoder::batching
