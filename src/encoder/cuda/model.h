// A model's weights on the device, up to the last layer that is asked for.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "encoder/batching/rotations.h"
#include "encoder/cuda/kernels.h"
#include "encoder/cuda/layout.h"
#include "encoder/cuda/product.h"
#include "encoder/snapshot/weights.h"

namespace wordbreadth::encoder::cuda {

struct DeviceNorm {
    Buffer<float> weight;  // (row)
    Buffer<float> bias;    // (row), or empty
};

struct DeviceEmbeddings {
    Buffer<float> words, positions, types;  // (.., row); the last two may be empty
    DeviceNorm norm;
};

// Cosines and sines of every position's angles as the attention wants them, for one base.
class DeviceRotations {
  public:
    DeviceRotations(double base, const Sizes& sizes, Precision precision)
        : sizes_(sizes), precision_(precision), host_(base, sizes.head) {}

    // To be called before sentences of this many tokens are run, not while one is running.
    void reserve(std::size_t positions, const Stream& stream);
    [[nodiscard]] const void* data() const { return device_.data(); }  // (position, head_row / 2, 2)

  private:
    [[nodiscard]] std::vector<float> turns(std::size_t positions);

    Sizes sizes_;
    Precision precision_;
    batching::Rotations host_;
    std::size_t positions_ = 0;
    Buffer<std::byte> device_;
};

struct DeviceLayer {
    std::optional<DeviceNorm> attention_norm;
    Matrix qkv;
    Matrix out;
    DeviceNorm mlp_norm;
    Matrix up;  // and the gate below it, if there is one
    Matrix down;
    std::size_t reach = 0;
    const DeviceRotations* rotations = nullptr;
};

class DeviceModel {
  public:
    // Reads layers 1 .. last. Throws InputError when the snapshot is at fault, OutOfMemory when the device is too
    // small.
    DeviceModel(snapshot::ModelWeights& weights, std::size_t last, Precision precision, const Stream& stream);

    const snapshot::ModelConfig config;
    const Sizes sizes;
    const Precision precision;
    DeviceEmbeddings embeddings;
    std::vector<DeviceLayer> layers;
    std::optional<DeviceNorm> final_norm;  // where the last layer of the model is the last asked for

    // To be called before sentences of this many tokens are run, not while one is running.
    void reserve_positions(std::size_t positions);
    [[nodiscard]] NormView view(const DeviceNorm& norm) const;

  private:
    [[nodiscard]] Buffer<float> floats(const std::vector<float>& values);
    [[nodiscard]] Buffer<std::byte> operands(const std::vector<float>& values);
    [[nodiscard]] DeviceNorm norm(const snapshot::Norm& norm);
    [[nodiscard]] Matrix matrix(const snapshot::Linear& linear);
    [[nodiscard]] DeviceEmbeddings upload(const snapshot::EmbeddingWeights& weights);
    [[nodiscard]] DeviceLayer upload(const snapshot::LayerWeights& weights, std::size_t index);

    const Stream& stream_;
    std::map<double, DeviceRotations> rotations_;  // by base
};

}  // namespace wordbreadth::encoder::cuda
