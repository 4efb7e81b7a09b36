// Runs a piece through the layers, on the device.
#pragma once

#include "encoder/batching/packed_piece.h"
#include "encoder/cuda/model.h"
#include "encoder/cuda/product.h"

namespace wordbreadth::encoder::cuda {

class Pass {
  public:
    // `model` and `stream` must outlive the pass.
    Pass(const DeviceModel& model, const Stream& stream)
        : model_(model), stream_(stream), products_(model.precision, stream) {}

    // For pieces of up to `tokens` tokens, of which up to `kept` are kept; not while one is running. Throws
    // OutOfMemory.
    void reserve(std::size_t tokens, std::size_t kept);
    void release();

    // Where a piece is on the device, and where its vectors go.
    struct Task {
        const PackedPiece* piece;
        const std::int32_t* numbers;  // as in the packed piece
        float* vectors;               // (kept, row)
        std::int32_t* not_finite;     // becomes 1 when a value of `vectors` is not; 0 before
    };
    // Returns when all is asked for; the stream says when it is done.
    void run(const Task& task, LayerRange layers);

  private:
    // The current rows: as operands, and in float32 where norms come first.
    struct Rows {
        Buffer<std::byte> operands;
        Buffer<float> residual;
    };

    void embed();
    void run_layer(std::size_t index);
    void run_last_layer(std::size_t index, const VectorsView& vectors);
    void attend(const DeviceLayer& layer, bool kept_only);
    void finish_layer(std::size_t index, Rows& rows, std::size_t count, const VectorsView& vectors);
    void run_mlp(const DeviceLayer& layer, const Rows& rows, std::size_t count);
    void collect(const VectorsView& vectors);
    void take_kept_rows();

    [[nodiscard]] NormView norm_after(std::size_t index) const;
    [[nodiscard]] RowSizes rows_of(std::size_t count) const { return {count, model_.sizes.hidden, model_.sizes.row}; }
    [[nodiscard]] VectorsView vectors_of(std::size_t layer, LayerRange layers) const;
    [[nodiscard]] const std::int32_t* list(std::size_t at) const { return task_.numbers + at; }
    void reserve(Rows& rows, std::size_t count) const;

    const DeviceModel& model_;
    const Stream& stream_;
    Products products_;
    Task task_{};
    Rows all_, kept_;
    Buffer<std::byte> projected_;   // (tokens, 3 attended): queries, keys, values; in the last layer keys and values
    Buffer<std::byte> queries_;     // (kept, attended), in the last layer
    Buffer<std::byte> attended_;    // (tokens, attended)
    Buffer<std::byte> up_, gated_;  // (tokens, intermediate); where there is a gate, `up` is twice as wide
    Buffer<std::byte> delta_;       // (tokens, row): what half a layer made of its rows
};

}  // namespace wordbreadth::encoder::cuda
