// The products of the encoder, at the sizes of real models.
#include "encoder/cpu/product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace wordbreadth::encoder::cpu {
namespace {

std::vector<float> noise(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values) value = normal(random);
    return values;
}

snapshot::Linear random_linear(std::size_t inputs, std::size_t outputs) {
    return {outputs, inputs, noise(inputs * outputs, 1), noise(outputs, 2)};
}

class ProductSizes : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {
  protected:
    const std::size_t inputs_ = GetParam().first;
    const std::size_t outputs_ = GetParam().second;
};

TEST_P(ProductSizes, ARowGivesTheSameWhereverItStands) {
    const std::size_t rows = 2 * Product::rows_together;
    const auto row = noise(inputs_, 3);
    for (const Epilogue epilogue : {Epilogue::store, Epilogue::add, Epilogue::activate}) {
        const Product product =
            Products(Precision::f32).make(random_linear(inputs_, outputs_), epilogue, Activation::gelu);
        std::vector<float> in(rows * inputs_);
        std::vector<float> out(rows * outputs_);
        for (std::size_t r = 0; r < rows; ++r)
            std::ranges::copy(row, in.begin() + static_cast<std::ptrdiff_t>(r * inputs_));
        product.run(rows, in.data(), out.data());
        for (std::size_t r = 1; r < rows; ++r)
            ASSERT_EQ(std::memcmp(out.data(), out.data() + r * outputs_, outputs_ * sizeof(float)), 0) << r;
    }
}

TEST_P(ProductSizes, IsThatOfTheDefinition) {
    const snapshot::Linear linear = random_linear(inputs_, outputs_);
    const auto in = noise(Product::rows_together * inputs_, 4);
    std::vector<float> out(Product::rows_together * outputs_);
    Products(Precision::f32).make(linear, Epilogue::store, Activation::gelu).run(3, in.data(), out.data());
    for (const std::size_t o : {std::size_t{0}, outputs_ / 2, outputs_ - 1}) {
        double sum = linear.bias[o];
        for (std::size_t i = 0; i < inputs_; ++i) sum += double{in[2 * inputs_ + i]} * linear.weight[o * inputs_ + i];
        EXPECT_NEAR(out[2 * outputs_ + o], sum, 1e-5 * std::sqrt(static_cast<double>(inputs_)) * 10);
    }
}

using Size = std::pair<std::size_t, std::size_t>;
INSTANTIATE_TEST_SUITE_P(Sizes, ProductSizes,
                         testing::Values(Size{384, 1152}, Size{384, 1536}, Size{1536, 384}, Size{768, 3072},
                                         Size{1024, 1024}, Size{24, 34}, Size{34, 24}, Size{1, 1}, Size{32, 384},
                                         Size{384, 32}));

}  // namespace
}  // namespace wordbreadth::encoder::cpu
