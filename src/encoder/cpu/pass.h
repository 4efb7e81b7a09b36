// Runs pieces through the layers, one at a time, on one thread; owns the workspace for that.
#pragma once

#include <span>

#include "encoder/batching/batch.h"
#include "encoder/cpu/buffer.h"
#include "encoder/cpu/kernels.h"
#include "encoder/cpu/model.h"

namespace wordbreadth::encoder::cpu {

using batching::Piece;

class Pass {
  public:
    // Both must outlive the pass.
    Pass(const Model& model, const Kernels& kernels) : model_(model), kernels_(kernels) {}

    // Fills the rows of `vectors` (batch.kept.size(), hidden) that belong to the piece.
    void run(const Batch& batch, const Piece& piece, LayerRange layers, std::span<float> vectors);

    [[nodiscard]] const Kernels& kernels() const { return kernels_; }

  private:
    // The current rows, and the same as operands of products: rounded, or normalised first, or the rows themselves.
    struct Rows {
        Buffer floats;
        Buffer operands;
    };

    // A sentence of which tokens are kept: where they are among the piece's rows, and among the kept.
    struct Asking {
        std::size_t first_row, tokens, first_kept, end_kept;
    };
    // A kept token whose sentence's keys and values are not made: see folded_attention.h.
    struct Folded {
        std::size_t first_row, tokens, kept;
    };

    void reserve(std::size_t tokens, std::size_t kept);
    void embed(std::size_t row, std::size_t token, std::size_t position);
    void embed_all();
    void embed_kept();
    void run_layer(const Layer& layer);
    void find_words();
    void project_words();
    void project_first();
    void run_last_layer(const Layer& layer);
    void attend(const Layer& layer);
    void find_asking(const Layer& layer);
    void project_keys_and_values(const Layer& layer);
    void attend_kept(const Layer& layer);
    void attend_folded(const Layer& layer);
    void attend_folded(const Layer& layer, std::span<const Folded> rows);
    void take_heads(std::span<const Folded> rows);
    void see(const Folded& row, float* asked);
    void put_heads(std::span<const Folded> rows);
    void finish_layer(const Layer& layer, Rows& rows, std::size_t count);
    void finish_block(const Layer& layer, Rows& rows, std::size_t first, std::size_t count);
    void take_kept_rows();
    void collect(const float* rows, bool are_kept, bool is_first);
    void divide(std::size_t layers);

    void normalize(const snapshot::Norm& norm, Rows& rows, std::size_t first, std::size_t count, bool keep);
    void prepare(const Layer& layer);
    void store_operands(const float* from, std::size_t count, const Buffer& to, std::size_t at) const;
    void attend(AttentionTask task, std::size_t row) const;
    [[nodiscard]] const char* operands(const Rows& rows) const;
    [[nodiscard]] bool rounds() const { return model_.precision == Precision::bf16; }
    [[nodiscard]] std::size_t operand_bytes() const { return rounds() ? 2 : 4; }
    [[nodiscard]] AttentionTask attention_task(const Layer& layer, std::size_t first_row, std::size_t keys) const;
    [[nodiscard]] std::size_t first_token_of(std::size_t sentence) const;

    const Model& model_;
    const Kernels& kernels_;
    const Batch* batch_ = nullptr;
    const Piece* piece_ = nullptr;
    std::span<float> vectors_;  // of the piece's kept tokens
    Rows all_, kept_;
    std::vector<std::int32_t> words_;         // of the piece, each once, ascending
    Buffer word_operands_, projected_words_;  // (words, hidden), operands; (words, 3 hidden)
    Buffer moments_;                          // (tokens, 2), of the norm that came last
    Buffer projected_;  // (tokens, 3 hidden): queries, keys, values; in the last layer (tokens, 2 hidden): keys, values
    Buffer queries_;    // (kept, hidden), in the last layer
    std::vector<Asking> asking_;
    std::vector<Folded> folded_;
    Buffer heads_;       // (heads, Product::rows_together, head_size): queries, answers
    Buffer asked_;       // (heads, Product::rows_together, hidden)
    Buffer attended_;    // (tokens, hidden), operands
    Buffer up_, gated_;  // (Product::rows_together, intermediate), operands
    Buffer space_;
};

}  // namespace wordbreadth::encoder::cpu
