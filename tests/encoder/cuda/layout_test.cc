#include "encoder/cuda/model.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "wordbreadth/error.h"

namespace wordbreadth::encoder::cuda {
namespace {

snapshot::ModelConfig small_config() {
    snapshot::ModelConfig config;
    config.hidden = 28;
    config.embedding = 28;
    config.heads = config.key_heads = 2;
    config.head_size = 14;
    config.intermediate = 22;
    return config;
}

snapshot::Linear counted(std::size_t outputs, std::size_t inputs) {
    snapshot::Linear linear{outputs, inputs, std::vector<float>(outputs * inputs), std::vector<float>(outputs)};
    std::iota(linear.weight.begin(), linear.weight.end(), 1.0F);
    std::iota(linear.bias.begin(), linear.bias.end(), 1.0F);
    return linear;
}

snapshot::LayerWeights small_layer() {
    snapshot::LayerWeights layer;
    layer.qkv = counted(84, 28);
    layer.out = counted(28, 28);
    layer.up = counted(22, 28);
    layer.down = counted(28, 22);
    return layer;
}

TEST(GpuLayout, WidthsAreMultiplesThatKernelsKnow) {
    const Sizes sizes(small_config());
    EXPECT_EQ(sizes.row, 32U);
    EXPECT_EQ(sizes.head_row, 32U);
    EXPECT_EQ(sizes.attended, 64U);
    EXPECT_EQ(sizes.intermediate, 24U);
}

TEST(GpuLayout, PartnersOfARotationAreNeighbours) {
    const Sizes sizes(small_config());
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(place_in_head(sizes, i), 2 * i);
        EXPECT_EQ(place_in_head(sizes, i + 7), 2 * i + 1);
    }
}

TEST(GpuLayout, HeadsOfAnOddSizeHaveAPlaceForEveryValue) {
    snapshot::ModelConfig config = small_config();
    config.hidden = 15;
    config.heads = config.key_heads = 3;
    config.head_size = 5;
    const Sizes sizes(config);
    std::set<std::size_t> places;
    for (std::size_t i = 0; i < 5; ++i) places.insert(place_in_head(sizes, i));
    EXPECT_EQ(places.size(), 5U);
}

TEST(GpuLayout, QueriesKeysAndValuesStandByHead) {
    const snapshot::Linear qkv = small_layer().qkv;
    const snapshot::Linear laid_out = lay_out(small_layer(), Sizes(small_config())).qkv;
    ASSERT_EQ(laid_out.outputs, 3 * 64U);
    ASSERT_EQ(laid_out.inputs, 32U);
    // Value 9 of the second head of the keys: output 28 + 14 + 9 of the model.
    const std::size_t output = 64 + 32 + 2 * (9 - 7) + 1;
    EXPECT_EQ(laid_out.bias[output], qkv.bias[28 + 14 + 9]);
    EXPECT_EQ(laid_out.weight[output * 32 + 5], qkv.weight[(28 + 14 + 9) * 28 + 5]);
    EXPECT_EQ(laid_out.weight[output * 32 + 28], 0);
}

TEST(GpuLayout, NothingIsLostOrDoubled) {
    const Sizes sizes(small_config());
    const auto sum = [](const std::vector<float>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    };
    const snapshot::LayerWeights layer = small_layer();
    const snapshot::LayerWeights laid_out = lay_out(layer, sizes);
    EXPECT_EQ(sum(laid_out.qkv.weight), sum(layer.qkv.weight));
    EXPECT_EQ(sum(laid_out.out.weight), sum(layer.out.weight));
    EXPECT_EQ(sum(laid_out.up.weight), sum(layer.up.weight));
    EXPECT_EQ(sum(laid_out.down.weight), sum(layer.down.weight));
    EXPECT_EQ(sum(padded_rows(layer.out.weight, 28)), sum(layer.out.weight));
}

TEST(GpuLayout, AGateFollowsWhatItMultiplies) {
    snapshot::LayerWeights layer = small_layer();
    layer.gate = counted(22, 28);
    const snapshot::Linear both = lay_out(layer, Sizes(small_config())).up;
    EXPECT_EQ(both.outputs, 48U);
    EXPECT_EQ(both.weight[24 * 32], layer.gate->weight[0]);
    EXPECT_EQ(both.bias[24 + 21], layer.gate->bias[21]);
    EXPECT_EQ(both.bias[23], 0);
}

TEST(GpuLayout, RefusesSizesThatNoKernelKnows) {
    snapshot::ModelConfig config = small_config();
    config.head_size = 129;
    EXPECT_THROW(require_known_sizes("model", config), InputError);
    config.head_size = 128;
    EXPECT_NO_THROW(require_known_sizes("model", config));
    config.hidden = 4100;
    EXPECT_THROW(require_known_sizes("model", config), InputError);
}

}  // namespace
}  // namespace wordbreadth::encoder::cuda
