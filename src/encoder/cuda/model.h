// A model's weights on the device, up to the last layer that is asked for.
//
// Their layout: widths that are multiples of 8, heads of a size that the attention kernel knows, zeros in between.
// Inside a head, value i of the first half stands at 2 i and its partner of the second half at 2 i + 1: what positions
// rotate together is then one 32-bit word. Queries, keys and values are all laid out so, and the columns of the product
// that takes the attended values as well, so that it shows nowhere else.
#pragma once

#include <deque>
#include <future>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "encoder/batching/batch.h"
#include "encoder/cuda/kernels.h"
#include "encoder/cuda/product.h"
#include "encoder/snapshot/weights.h"

namespace wordbreadth::encoder::cuda {

[[nodiscard]] constexpr std::size_t padded(std::size_t size, std::size_t multiple = 8) {
    return (size + multiple - 1) / multiple * multiple;
}

// The sizes of a model on the device.
struct Sizes {
    explicit Sizes(const snapshot::ModelConfig& config);

    std::size_t hidden;  // of the model
    std::size_t row;     // padded
    std::size_t embedding, embedding_row;
    std::size_t heads, key_heads;
    std::size_t head;          // of the model
    std::size_t head_row;      // padded: a multiple of 32
    std::size_t attended;      // heads * head_row
    std::size_t keys;          // key_heads * head_row
    std::size_t intermediate;  // padded

    [[nodiscard]] std::size_t projected() const { return attended + 2 * keys; }  // queries, keys and values
};

// Throws InputError when the kernels do not know the model's sizes.
void require_known_sizes(const std::string& folder, const snapshot::ModelConfig& config);

// Where value `i` of a head stands.
[[nodiscard]] std::size_t place_in_head(const Sizes& sizes, std::size_t i);

// The products of a layer, `up` with the gate's rows below its own, if there is one, and no gate; the norms of its
// heads; and its other norms as they are.
[[nodiscard]] snapshot::LayerWeights lay_out(const snapshot::LayerWeights& layer, const Sizes& sizes);

// The layers of a snapshot, laid out: a few are read at a time, each on a thread of its own, before they are asked for.
// A thread reads half a gigabyte a second; the device takes ten times that.
class LayersAhead {
  public:
    // Layers 0 .. count - 1, at most `threads` at a time.
    LayersAhead(std::string folder, const snapshot::ModelConfig& config, std::size_t count, unsigned threads);

    // In their order. Throws as ModelWeights::layer does.
    [[nodiscard]] snapshot::LayerWeights next();

  private:
    void read_one();

    std::string folder_;
    Sizes sizes_;
    std::size_t count_, next_ = 0;
    bool alone_;
    std::deque<std::future<snapshot::LayerWeights>> reading_;
};

// (rows, columns) to (rows, padded(columns)).
[[nodiscard]] std::vector<float> padded_rows(const std::vector<float>& values, std::size_t columns);

struct DeviceNorm {
    Buffer<float> weight;  // (row)
    Buffer<float> bias;    // (row), or empty
};

struct DeviceEmbeddings {
    Buffer<float> words, positions, types;  // (.., embedding_row); the last two may be empty
    std::optional<DeviceNorm> norm;
    std::optional<Matrix> projection;  // to rows
};

// See RelativeView.
struct DeviceRelative {
    Buffer<float> bias;
    Buffer<std::byte> keys, queries;
};

// Cosines and sines of every position's angles as the attention wants them.
class DeviceRotations {
  public:
    // `frequencies` as in LayerAttention.
    DeviceRotations(const std::vector<float>& frequencies, const Sizes& sizes, Precision precision)
        : sizes_(sizes), precision_(precision), host_(frequencies) {}

    // To be called before sentences of this many tokens are run, not while one is running.
    void reserve(std::size_t positions, const Stream& stream);
    [[nodiscard]] const void* data() const { return device_.data(); }  // (position, head_row / 2, 2)

  private:
    Sizes sizes_;
    Precision precision_;
    batching::Rotations host_;
    std::size_t positions_ = 0;
    Buffer<std::byte> device_;
};

struct DeviceLayer {
    std::optional<DeviceNorm> attention_norm;
    Matrix qkv;
    Buffer<float> query_norm, key_norm;  // (head_row), or empty
    DeviceRelative relative;
    Matrix out;
    DeviceNorm mlp_norm;
    Matrix up;  // and the gate below it, if there is one
    Matrix down;
    const snapshot::LayerAttention* attention = nullptr;
    const DeviceRotations* rotations = nullptr;
};

class DeviceModel {
  public:
    // Takes `last` layers. Throws InputError when the snapshot is at fault, OutOfMemory when the device is too small,
    // Cancelled when it is told to stop. `products` is used here alone; `stream` is its own, and must outlive the
    // model.
    DeviceModel(const snapshot::ModelWeights& weights, LayersAhead& layers_ahead, std::size_t last, Products& products,
                const Stream& stream, const std::stop_token& stop = {});

    const snapshot::ModelConfig config;
    const Sizes sizes;
    const Precision precision;
    DeviceEmbeddings embeddings;
    std::vector<DeviceLayer> layers;
    std::optional<DeviceNorm> final_norm;  // where the last layer of the model is the last asked for

    // To be called before sentences of this many tokens are run, not while one is running.
    void reserve_positions(std::size_t positions);
    [[nodiscard]] NormView view(const DeviceNorm& norm) const;
    [[nodiscard]] NormView view(const std::optional<DeviceNorm>& norm) const;  // none: that of no norm
    [[nodiscard]] NormView head_view(const Buffer<float>& weight) const;
    [[nodiscard]] RelativeView relative_view(const DeviceLayer& layer) const;

  private:
    [[nodiscard]] Buffer<float> floats(const std::vector<float>& values);
    [[nodiscard]] Buffer<std::byte> operands(const std::vector<float>& values);
    [[nodiscard]] DeviceNorm norm(const snapshot::Norm& norm);
    [[nodiscard]] Matrix matrix(const snapshot::Linear& linear);
    [[nodiscard]] DeviceEmbeddings upload(const snapshot::EmbeddingWeights& weights);
    [[nodiscard]] DeviceLayer upload(const snapshot::LayerWeights& laid_out, std::size_t index);
    [[nodiscard]] DeviceRelative relative(const snapshot::LayerWeights& laid_out, std::size_t index);

    const Stream& stream_;
    Products& products_;
    std::map<std::vector<float>, DeviceRotations> rotations_;  // by their angles
    Buffer<std::int32_t> bucket_of_;                           // as RelativeAttention has it
    snapshot::RelativeWeights relative_;
    Buffer<std::byte> relative_rows_;  // (buckets, row), operands
};

}  // namespace wordbreadth::encoder::cuda
