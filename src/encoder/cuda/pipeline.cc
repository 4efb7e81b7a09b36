#include "encoder/cuda/pipeline.h"

#include <algorithm>

namespace wordbreadth::encoder::cuda {

namespace {

void copy(std::span<const float> from, float* to, base::Workers& copiers) {
    constexpr std::size_t part = std::size_t{1} << 17;  // floats: half a megabyte
    copiers.run((from.size() + part - 1) / part, [&](std::size_t i, std::size_t) {
        std::copy_n(from.data() + i * part, std::min(part, from.size() - i * part), to + i * part);
    });
}

}  // namespace

void Slot::reserve(std::size_t tokens, std::size_t kept, const Sizes& sizes) {
    host_numbers_.reserve(batching::most_numbers(tokens, kept));
    host_vectors_.reserve(kept * sizes.hidden);
    host_not_finite_.reserve(1);
    numbers_.reserve(batching::most_numbers(tokens, kept));
    vectors_.reserve(kept * sizes.row);
    not_finite_.reserve(1);
}

void Slot::release() {
    host_numbers_.release();
    host_vectors_.release();
    numbers_ = Buffer<std::int32_t>();
    vectors_ = Buffer<float>();
}

void Slot::start(const Batch& batch, const Piece& piece, Pass& pass, LayerRange layers, const Sizes& sizes,
                 const Streams& streams) {
    batching::pack(batch, piece, packed_);
    first_kept_ = piece.first_kept;
    send(streams);
    pass.run({&packed_, numbers_.data(), vectors_.data(), not_finite_.data()}, layers);
    fetch(sizes, streams);
}

void Slot::send(const Streams& streams) {
    std::copy(packed_.numbers.begin(), packed_.numbers.end(), host_numbers_.data());
    numbers_.upload({host_numbers_.data(), packed_.numbers.size()}, streams.up);
    WORDBREADTH_CUDA(cudaMemsetAsync(not_finite_.data(), 0, sizeof(std::int32_t), streams.up.get()));
    sent_.record(streams.up);
    sent_.hold(streams.work);
}

void Slot::fetch(const Sizes& sizes, const Streams& streams) {
    worked_.record(streams.work);
    worked_.hold(streams.down);
    const std::size_t width = sizes.hidden * sizeof(float);
    WORDBREADTH_CUDA(cudaMemcpy2DAsync(host_vectors_.data(), width, vectors_.data(), sizes.row * sizeof(float), width,
                                       packed_.kept, cudaMemcpyDeviceToHost, streams.down.get()));
    not_finite_.download({host_not_finite_.data(), 1}, streams.down);
    fetched_.record(streams.down);
}

void Slot::finish(std::span<float> vectors, const Sizes& sizes, base::Workers& copiers) {
    fetched_.wait();
    if (*host_not_finite_.data() != 0) throw NotFinite();
    copy({host_vectors_.data(), packed_.kept * sizes.hidden}, vectors.data() + first_kept_ * sizes.hidden, copiers);
}

}  // namespace wordbreadth::encoder::cuda
