// One thread's way through the layers, a piece at a time, with the memory it needs for that.
#pragma once

#include <span>

#include "encoder/cpu/buffer.h"
#include "encoder/cpu/kernels.h"
#include "encoder/cpu/model.h"
#include "encoder/cpu/pieces.h"

namespace wordbreadth::encoder::cpu {

class Pass {
  public:
    // `model` must outlive the pass.
    explicit Pass(const Model& model) : model_(model), kernels_(*usable_kernels().back()) {}

    // Fills the rows of `vectors` (batch.kept.size(), hidden) that belong to the piece.
    void run(const Batch& batch, const Piece& piece, Layers layers, std::span<float> vectors);

  private:
    // Rows on their way, and the same as operands of products: rounded, or normalised first, or the rows themselves.
    struct Rows {
        Buffer floats;
        Buffer operands;
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
    void attend_kept(const Layer& layer);
    void finish_layer(const Layer& layer, Rows& rows, std::size_t count);
    void finish_block(const Layer& layer, Rows& rows, std::size_t first, std::size_t count);
    void take_kept_rows();
    void collect(const float* rows, bool are_kept, bool is_first);
    void divide(std::size_t layers);

    void normalize(const Norm& norm, Rows& rows, std::size_t first, std::size_t count, bool keep);
    void prepare(const Layer& layer);
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
    Buffer attended_;   // (tokens, hidden), operands
    Buffer up_, gated_;  // (Product::rows_together, intermediate), operands
    Buffer space_;
};

}  // namespace wordbreadth::encoder::cpu
