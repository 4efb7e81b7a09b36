#include "encoder/cuda/model.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/failure.h"

namespace wordbreadth::encoder::cuda {

namespace {

using Place = std::function<std::size_t(std::size_t)>;

// A linear map of another size, with every output and input at its new place.
snapshot::Linear moved(const snapshot::Linear& from, std::size_t outputs, std::size_t inputs, const Place& output,
                       const Place& input) {
    snapshot::Linear to{outputs, inputs, std::vector<float>(outputs * inputs), {}};
    if (!from.bias.empty()) to.bias.resize(outputs);
    std::vector<std::size_t> places(from.inputs);
    bool as_they_are = true;
    for (std::size_t i = 0; i < from.inputs; ++i) {
        places[i] = input(i);
        as_they_are = as_they_are && places[i] == i;
    }
    for (std::size_t o = 0; o < from.outputs; ++o) {
        const float* values = from.weight.data() + o * from.inputs;
        float* row = to.weight.data() + output(o) * inputs;
        if (as_they_are) {
            std::copy_n(values, from.inputs, row);
        } else {
            for (std::size_t i = 0; i < from.inputs; ++i) row[places[i]] = values[i];
        }
        if (!from.bias.empty()) to.bias[output(o)] = from.bias[o];
    }
    return to;
}

}  // namespace

Sizes::Sizes(const snapshot::ModelConfig& config)
    : hidden(config.hidden),
      row(padded(config.hidden)),
      heads(config.heads),
      head(config.head_size()),
      head_row(padded(config.head_size(), 32)),
      attended(heads * head_row),
      intermediate(padded(config.intermediate)) {}

void require_known_sizes(const std::string& folder, const snapshot::ModelConfig& config) {
    const auto require = [&](std::size_t size, std::size_t most, const char* what) {
        if (size <= most) return;
        base::fail(folder, std::string(what) + " " + std::to_string(size) + "; on a GPU it can be at most " +
                               std::to_string(most) + "; use the CPU");
    };
    require(config.hidden, widest_row, "the model's hidden size is");
    require(config.head_size(), largest_head, "the size of the model's attention heads is");
}

std::size_t place_in_head(const Sizes& sizes, std::size_t i) {
    const std::size_t half = (sizes.head + 1) / 2;
    return i < half ? 2 * i : 2 * (i - half) + 1;
}

snapshot::LayerWeights lay_out(const snapshot::LayerWeights& layer, const Sizes& sizes) {
    const Place same = std::identity();
    const Place in_heads = [&](std::size_t i) {  // of all heads one after the other, of queries, keys or values
        return i / sizes.head * sizes.head_row + place_in_head(sizes, i % sizes.head);
    };
    snapshot::LayerWeights to;
    to.attention_norm = layer.attention_norm;
    to.mlp_norm = layer.mlp_norm;
    to.qkv = moved(layer.qkv, 3 * sizes.attended, sizes.row, in_heads, same);
    to.out = moved(layer.out, sizes.row, sizes.attended, same, in_heads);
    to.up = moved(layer.up, sizes.intermediate, sizes.row, same, same);
    to.down = moved(layer.down, sizes.row, sizes.intermediate, same, same);
    if (!layer.gate) return to;
    const snapshot::Linear gate = moved(*layer.gate, sizes.intermediate, sizes.row, same, same);
    to.up.outputs *= 2;
    to.up.weight.insert(to.up.weight.end(), gate.weight.begin(), gate.weight.end());
    to.up.bias.insert(to.up.bias.end(), gate.bias.begin(), gate.bias.end());
    return to;
}

LayersAhead::LayersAhead(std::string folder, const snapshot::ModelConfig& config, std::size_t count, unsigned threads)
    : folder_(std::move(folder)), sizes_(config), count_(count), alone_(threads < 2) {
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min<std::size_t>({count, threads, most}); ++i) read_one();
}

// Where the system refuses to start a thread, the layer is read when it is asked for.
void LayersAhead::read_one() {
    const auto policy = alone_ ? std::launch::deferred : std::launch::async | std::launch::deferred;
    reading_.push_back(std::async(policy, [folder = folder_, sizes = sizes_, index = next_++] {
        return lay_out(snapshot::ModelWeights(folder).layer(index), sizes);
    }));
}

snapshot::LayerWeights LayersAhead::next() {
    snapshot::LayerWeights layer = reading_.front().get();
    reading_.pop_front();
    if (next_ < count_) read_one();
    return layer;
}

std::vector<float> padded_rows(const std::vector<float>& values, std::size_t columns) {
    const std::size_t width = padded(columns);
    if (width == columns || values.empty()) return values;
    std::vector<float> rows(values.size() / columns * width);
    for (std::size_t row = 0; row < values.size() / columns; ++row)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * columns), columns,
                    rows.begin() + static_cast<std::ptrdiff_t>(row * width));
    return rows;
}

// In half precision where the operands have 16 bits: it is no worse than theirs, and half as much to load.
void DeviceRotations::reserve(std::size_t positions, const Stream& stream) {
    if (positions <= positions_) return;
    positions = std::max(positions, 2 * positions_);
    host_.reserve(positions);
    const std::size_t pairs = sizes_.head / 2;
    std::vector<float> exact(positions * sizes_.head_row);
    for (std::size_t position = 0; position < positions; ++position) {
        for (std::size_t i = 0; i < pairs; ++i) {
            exact[position * sizes_.head_row + 2 * i] = host_.cosines()[position * pairs + i];
            exact[position * sizes_.head_row + 2 * i + 1] = host_.sines()[position * pairs + i];
        }
    }
    const Precision kept_in = precision_ == Precision::f32 ? Precision::f32 : Precision::f16;
    Buffer<float> uploaded(exact.size());
    uploaded.upload(exact, stream);
    device_.reserve(exact.size() * bytes_of(kept_in));
    round(kept_in, uploaded.data(), exact.size(), device_.data(), stream.get());
    stream.wait();
    positions_ = positions;
}

DeviceModel::DeviceModel(snapshot::ModelWeights& weights, LayersAhead& layers_ahead, std::size_t last, Precision asked,
                         const Stream& stream)
    : config(weights.config()), sizes(config), precision(asked), stream_(stream) {
    embeddings = upload(weights.embeddings());
    layers.reserve(last);
    for (std::size_t i = 0; i < last; ++i) layers.push_back(upload(layers_ahead.next(), i));
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

DeviceLayer DeviceModel::upload(const snapshot::LayerWeights& laid_out, std::size_t index) {
    const snapshot::LayerAttention& attention = config.attention[index];
    DeviceLayer layer;
    if (laid_out.attention_norm) layer.attention_norm = norm(*laid_out.attention_norm);
    layer.qkv = matrix(laid_out.qkv);
    layer.out = matrix(laid_out.out);
    layer.mlp_norm = norm(laid_out.mlp_norm);
    layer.up = matrix(laid_out.up);
    layer.down = matrix(laid_out.down);
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
