#include "encoder/cuda/model.h"

#include <algorithm>

namespace wordbreadth::encoder::cuda {

std::vector<float> DeviceRotations::turns(std::size_t positions) {
    host_.reserve(positions);
    const std::size_t pairs = sizes_.head / 2;
    std::vector<float> turns(positions * sizes_.head_row);
    for (std::size_t position = 0; position < positions; ++position) {
        for (std::size_t i = 0; i < pairs; ++i) {
            turns[position * sizes_.head_row + 2 * i] = host_.cosines()[position * pairs + i];
            turns[position * sizes_.head_row + 2 * i + 1] = host_.sines()[position * pairs + i];
        }
    }
    return turns;
}

// In half precision where the operands have 16 bits: it is no worse than theirs, and half as much to load.
void DeviceRotations::reserve(std::size_t positions, const Stream& stream) {
    if (positions <= positions_) return;
    positions = std::max(positions, 2 * positions_);
    const std::vector<float> exact = turns(positions);
    const Precision kept_in = precision_ == Precision::f32 ? Precision::f32 : Precision::f16;
    Buffer<float> uploaded(exact.size());
    uploaded.upload(exact, stream);
    device_.reserve(exact.size() * bytes_of(kept_in));
    round(kept_in, uploaded.data(), exact.size(), device_.data(), stream.get());
    stream.wait();
    positions_ = positions;
}

DeviceModel::DeviceModel(snapshot::ModelWeights& weights, std::size_t last, Precision asked, const Stream& stream)
    : config(weights.config()), sizes(config), precision(asked), stream_(stream) {
    embeddings = upload(weights.embeddings());
    layers.reserve(last);
    for (std::size_t i = 0; i < last; ++i) layers.push_back(upload(weights.layer(i), i));
    if (last < config.layers) return;
    if (const auto found = weights.final_norm()) final_norm = norm(*found);
}

Buffer<float> DeviceModel::floats(const std::vector<float>& values) {
    Buffer<float> buffer(values.size());
    if (values.empty()) return buffer;
    buffer.upload(values, stream_);
    stream_.wait();
    return buffer;
}

Buffer<std::byte> DeviceModel::operands(const std::vector<float>& values) {
    const Buffer<float> exact = floats(values);
    Buffer<std::byte> rounded(values.size() * bytes_of(precision));
    round(precision, exact.data(), values.size(), rounded.data(), stream_.get());
    stream_.wait();
    return rounded;
}

DeviceNorm DeviceModel::norm(const snapshot::Norm& norm) {
    return {floats(padded_rows(norm.weight, sizes.hidden)), floats(padded_rows(norm.bias, sizes.hidden))};
}

Matrix DeviceModel::matrix(const snapshot::Linear& linear) {
    return {linear.outputs, linear.inputs, operands(linear.weight), operands(linear.bias)};
}

DeviceEmbeddings DeviceModel::upload(const snapshot::EmbeddingWeights& weights) {
    const auto table = [&](const std::vector<float>& values) { return floats(padded_rows(values, sizes.hidden)); };
    return {table(weights.words), table(weights.positions), table(weights.types), norm(weights.norm)};
}

DeviceLayer DeviceModel::upload(const snapshot::LayerWeights& weights, std::size_t index) {
    const snapshot::LayerAttention& attention = config.attention[index];
    DeviceLayer layer;
    if (weights.attention_norm) layer.attention_norm = norm(*weights.attention_norm);
    layer.qkv = matrix(lay_out_qkv(weights.qkv, sizes));
    layer.out = matrix(lay_out_out(weights.out, sizes));
    layer.mlp_norm = norm(weights.mlp_norm);
    layer.up = matrix(lay_out_up(weights, sizes));
    layer.down = matrix(lay_out_down(weights.down, sizes));
    layer.reach = attention.reach;
    if (attention.rotary_base > 0)
        layer.rotations =
            &rotations_.try_emplace(attention.rotary_base, attention.rotary_base, sizes, precision).first->second;
    return layer;
}

void DeviceModel::reserve_positions(std::size_t positions) {
    for (auto& [base, rotations] : rotations_) rotations.reserve(positions, stream_);
}

NormView DeviceModel::view(const DeviceNorm& norm) const {
    return {norm.weight.data(), norm.bias.data(), static_cast<float>(config.norm_epsilon)};
}

}  // namespace wordbreadth::encoder::cuda
