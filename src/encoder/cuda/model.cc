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

std::vector<float> head_norm(const std::vector<float>& weight, const Sizes& sizes) {
    if (weight.empty()) return {};
    std::vector<float> placed(sizes.head_row);
    for (std::size_t i = 0; i < sizes.head; ++i) placed[place_in_head(sizes, i)] = weight[i];
    return placed;
}

}  // namespace

Sizes::Sizes(const snapshot::ModelConfig& config)
    : hidden(config.hidden),
      row(padded(config.hidden)),
      embedding(config.embedding),
      embedding_row(padded(config.embedding)),
      heads(config.heads),
      key_heads(config.key_heads),
      head(config.head_size),
      head_row(padded(config.head_size, 32)),
      attended(heads * head_row),
      keys(key_heads * head_row),
      intermediate(padded(config.intermediate)) {}

void require_known_sizes(const std::string& folder, const snapshot::ModelConfig& config) {
    const auto require = [&](std::size_t size, std::size_t most, const char* what) {
        if (size <= most) return;
        base::fail(folder, std::string(what) + " " + std::to_string(size) + "; on a GPU it can be at most " +
                               std::to_string(most) + "; use the CPU");
    };
    require(config.hidden, widest_row, "the model's hidden size is");
    require(config.embedding, widest_row, "the model's embedding size is");
    require(config.head_size, largest_head, "the size of the model's attention heads is");
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
    to.qkv = moved(layer.qkv, sizes.projected(), sizes.row, in_heads, same);
    to.query_norm = head_norm(layer.query_norm, sizes);
    to.key_norm = head_norm(layer.key_norm, sizes);
    const auto of_positions = [&](const std::optional<snapshot::Linear>& from) -> std::optional<snapshot::Linear> {
        if (!from) return std::nullopt;
        return moved(*from, sizes.attended, sizes.row, in_heads, same);
    };
    to.position_keys = of_positions(layer.position_keys);
    to.position_queries = of_positions(layer.position_queries);
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

DeviceModel::DeviceModel(const snapshot::ModelWeights& weights, LayersAhead& layers_ahead, std::size_t last,
                         Products& products, const Stream& stream, const std::stop_token& stop)
    : config(weights.config()), sizes(config), precision(products.precision()), stream_(stream), products_(products) {
    embeddings = upload(weights.embeddings());
    if (config.relative && last > 0) {
        relative_ = weights.relative();
        bucket_of_ = Buffer<std::int32_t>(config.relative->bucket_of.size());
        bucket_of_.upload(config.relative->bucket_of, stream_);
        stream_.wait();
        relative_rows_ = operands(padded_rows(relative_.rows, sizes.hidden));
    }
    layers.reserve(last);
    for (std::size_t i = 0; i < last; ++i) {
        if (stop.stop_requested()) throw Cancelled();
        layers.push_back(upload(layers_ahead.next(), i));
    }
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
    const std::size_t width = norm.weight.size();
    return {floats(padded_rows(norm.weight, width)), floats(padded_rows(norm.bias, width))};
}

Matrix DeviceModel::matrix(const snapshot::Linear& linear) {
    return {linear.outputs, linear.inputs, operands(linear.weight), operands(linear.bias)};
}

DeviceEmbeddings DeviceModel::upload(const snapshot::EmbeddingWeights& weights) {
    const auto table = [&](const std::vector<float>& values) { return floats(padded_rows(values, sizes.embedding)); };
    DeviceEmbeddings to{table(weights.words), table(weights.positions), table(weights.types), {}, {}};
    if (weights.norm) to.norm = norm(*weights.norm);
    if (weights.projection)
        to.projection =
            matrix(moved(*weights.projection, sizes.row, sizes.embedding_row, std::identity(), std::identity()));
    return to;
}

DeviceLayer DeviceModel::upload(const snapshot::LayerWeights& laid_out, std::size_t index) {
    const snapshot::LayerAttention& attention = config.attention[index];
    DeviceLayer layer;
    if (laid_out.attention_norm) layer.attention_norm = norm(*laid_out.attention_norm);
    layer.qkv = matrix(laid_out.qkv);
    layer.query_norm = floats(laid_out.query_norm);
    layer.key_norm = floats(laid_out.key_norm);
    layer.relative = relative(laid_out, index);
    layer.out = matrix(laid_out.out);
    layer.mlp_norm = norm(laid_out.mlp_norm);
    layer.up = matrix(laid_out.up);
    layer.down = matrix(laid_out.down);
    layer.attention = &attention;
    if (!attention.rotation.empty())
        layer.rotations =
            &rotations_.try_emplace(attention.rotation, attention.rotation, sizes, precision).first->second;
    return layer;
}

DeviceRelative DeviceModel::relative(const snapshot::LayerWeights& laid_out, std::size_t index) {
    DeviceRelative to;
    if (!config.relative) return to;
    const std::size_t buckets = config.relative->buckets;
    std::vector<float> bias(relative_.bias.size());  // (heads, buckets); scores are scaled with it
    for (std::size_t i = 0; i < bias.size(); ++i)
        bias[i % sizes.heads * buckets + i / sizes.heads] =
            static_cast<float>(relative_.bias[i] / config.attention[index].scale);
    to.bias = floats(bias);
    const auto made_of_rows = [&](const std::optional<snapshot::Linear>& linear) {
        if (!linear) return Buffer<std::byte>();
        const Matrix by = matrix(*linear);
        Buffer<std::byte> made(buckets * sizes.attended * bytes_of(precision));
        products_.run(by, Epilogue::store, buckets, relative_rows_.data(), made.data());
        stream_.wait();
        return made;
    };
    to.keys = made_of_rows(laid_out.position_keys);
    to.queries = made_of_rows(laid_out.position_queries);
    return to;
}

void DeviceModel::reserve_positions(std::size_t positions) {
    for (auto& [angles, rotations] : rotations_) rotations.reserve(positions, stream_);
}

NormView DeviceModel::view(const DeviceNorm& norm) const {
    return {norm.weight.data(), norm.bias.data(), static_cast<float>(config.norm_epsilon), config.norm_centres};
}

NormView DeviceModel::view(const std::optional<DeviceNorm>& norm) const {
    return norm ? view(*norm) : NormView{};
}

NormView DeviceModel::head_view(const Buffer<float>& weight) const {
    return {weight.data(), nullptr, static_cast<float>(config.norm_epsilon), false};
}

RelativeView DeviceModel::relative_view(const DeviceLayer& layer) const {
    if (!config.relative) return {};
    return {config.relative->buckets, bucket_of_.data() + config.positions - 1, layer.relative.bias.data(),
            layer.relative.keys.data(), layer.relative.queries.data()};
}

}  // namespace wordbreadth::encoder::cuda
