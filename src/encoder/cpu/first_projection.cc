#include "encoder/cpu/first_projection.h"

#include <algorithm>

#include "encoder/cpu/buffer.h"

namespace wordbreadth::encoder::cpu {

namespace {

// The norm's weights go into the matrix.
snapshot::Linear scaled(const snapshot::Linear& qkv, const std::vector<float>& norm) {
    snapshot::Linear linear{qkv.outputs, qkv.inputs, qkv.weight, {}};
    for (std::size_t i = 0; i < linear.weight.size(); ++i) linear.weight[i] *= norm[i % linear.inputs];
    return linear;
}

// In float32, whatever the precision of the model: this is done once.
std::vector<float> projected(const snapshot::Linear& linear, const std::vector<float>& rows) {
    const std::size_t count = rows.size() / linear.inputs;
    const std::size_t padded = Product::padded_rows(count);
    Buffer in;
    Buffer out;
    in.reserve(padded * linear.inputs * sizeof(float));
    out.reserve(padded * linear.outputs * sizeof(float));
    std::ranges::copy(rows, in.as<float>());
    Products(Precision::f32).make(linear, Then::store, Activation::gelu).run(count, in.as<void>(), out.as<void>());
    return {out.as<float>(), out.as<float>() + count * linear.outputs};
}

std::vector<float> row_sums(const snapshot::Linear& linear, const std::vector<float>& factors,
                            const std::vector<float>& bias) {
    std::vector<float> sums;
    for (std::size_t o = 0; o < linear.outputs; ++o) {
        double sum = bias.empty() ? 0 : bias[o];
        for (std::size_t i = 0; i < linear.inputs; ++i)
            sum += double{linear.weight[o * linear.inputs + i]} * (factors.empty() ? 1 : factors[i]);
        sums.push_back(static_cast<float>(sum));
    }
    return sums;
}

}  // namespace

FirstProjection::FirstProjection(const snapshot::EmbeddingWeights& embeddings, const snapshot::Linear& qkv,
                                 Products& products) {
    const snapshot::Linear linear = scaled(qkv, embeddings.norm.weight);
    words = products.make(linear, Then::store, Activation::gelu);
    positions = projected(linear, embeddings.positions);
    types = projected(linear, embeddings.types);
    ones = row_sums(linear, {}, {});
    const std::vector<float> no_bias(qkv.inputs, 0);
    rest = row_sums(qkv, embeddings.norm.bias.empty() ? no_bias : embeddings.norm.bias, qkv.bias);
}

}  // namespace wordbreadth::encoder::cpu
