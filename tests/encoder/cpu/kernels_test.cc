// The encoder's inner loops against plain float64, at awkward sizes.
#include "encoder/cpu/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace wordbreadth::encoder::cpu {
namespace {

std::vector<float> noise(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 1.5F);
    std::vector<float> values(count);
    for (float& value : values) value = normal(random);
    return values;
}

struct Case {
    std::size_t keys, heads, head_size, reach;
};

// One query of one head, by the definition.
std::vector<double> plain_answer(const Case& c, const std::vector<float>& qkv, std::size_t query, std::size_t head) {
    const std::size_t hidden = c.heads * c.head_size;
    const auto at = [&](std::size_t row, std::size_t part, std::size_t i) {
        return double{qkv[(row * 3 + part) * hidden + head * c.head_size + i]};
    };
    std::vector<double> answer(c.head_size);
    double sum = 0;
    for (std::size_t key = 0; key < c.keys; ++key) {
        if ((key > query ? key - query : query - key) > c.reach) continue;
        double score = 0;
        for (std::size_t i = 0; i < c.head_size; ++i) score += at(query, 0, i) * at(key, 1, i);
        const double weight = std::exp(score / std::sqrt(static_cast<double>(c.head_size)));
        sum += weight;
        for (std::size_t i = 0; i < c.head_size; ++i) answer[i] += weight * at(key, 2, i);
    }
    for (double& value : answer) value /= sum;
    return answer;
}

void expect_answers(const Case& c, const std::vector<float>& qkv, const std::vector<float>& answers) {
    const std::size_t hidden = c.heads * c.head_size;
    for (std::size_t query = 0; query < c.keys; ++query) {
        for (std::size_t head = 0; head < c.heads; ++head) {
            const auto expected = plain_answer(c, qkv, query, head);
            for (std::size_t i = 0; i < c.head_size; ++i) {
                ASSERT_NEAR(answers[query * hidden + head * c.head_size + i], expected[i], 1e-5)
                    << query << " " << head;
            }
        }
    }
}

class Attention : public testing::TestWithParam<Case> {};

TEST_P(Attention, IsThatOfTheDefinition) {
    const Case& c = GetParam();
    const std::size_t hidden = c.heads * c.head_size;
    const std::vector<float> qkv = noise(c.keys * 3 * hidden, 7);
    std::vector<float> space(attention_space(c.keys, c.head_size));
    std::vector<float> answers(c.keys * hidden);
    AttentionTask task{};
    task.queries = task.keys = c.keys;
    task.heads = task.key_heads = c.heads;
    task.head_size = c.head_size;
    task.scale = 1 / std::sqrt(static_cast<float>(c.head_size));
    task.before = task.after = c.reach;
    task.query = qkv.data();
    task.key = qkv.data() + hidden;
    task.value = qkv.data() + 2 * hidden;
    task.query_stride = task.key_stride = 3 * hidden;
    task.to_stride = hidden;
    task.space = space.data();
    task.to = answers.data();
    for (const Kernels* kernels : usable_kernels()) {
        SCOPED_TRACE(kernels->name);
        kernels->attend(task);
        expect_answers(c, qkv, answers);
    }
}

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
INSTANTIATE_TEST_SUITE_P(Sizes, Attention,
                         testing::Values(Case{1, 1, 1, all}, Case{2, 3, 7, all}, Case{15, 2, 16, all},
                                         Case{16, 2, 32, all}, Case{17, 1, 33, all}, Case{31, 2, 64, all},
                                         Case{33, 2, 40, 0}, Case{64, 1, 8, 1}, Case{65, 2, 32, 5},
                                         Case{130, 1, 64, 64}, Case{200, 1, 16, 16}, Case{513, 1, 32, all},
                                         Case{12, 1, 384, all}));

TEST(Norm, IsThatOfTheDefinition) {
    for (const std::size_t width : {1U, 2U, 15U, 16U, 17U, 384U}) {
        for (const Kernels* kernels : usable_kernels()) {
            SCOPED_TRACE(kernels->name);
            const auto row = noise(width, 1);
            const auto weight = noise(width, 2);
            const auto bias = noise(width, 3);
            std::vector<float> to(width);
            std::vector<float> moments(2);
            kernels->normalize(
                {1, width, row.data(), weight.data(), bias.data(), 1e-5F, true, to.data(), nullptr, moments.data()});
            double mean = 0;
            for (const float x : row) mean += x / static_cast<double>(width);
            double variance = 0;
            for (const float x : row) variance += (x - mean) * (x - mean) / static_cast<double>(width);
            EXPECT_NEAR(moments[0], mean, 1e-6);
            EXPECT_NEAR(moments[1] * std::sqrt(variance + 1e-5), 1, 1e-5);
            for (std::size_t i = 0; i < width; ++i) {
                EXPECT_NEAR(to[i], (row[i] - mean) / std::sqrt(variance + 1e-5) * weight[i] + bias[i], 1e-5);
            }
        }
    }
}

TEST(Sum, IsThatOfTheDefinition) {
    for (const std::size_t width : {1U, 17U, 1152U}) {
        const auto parts = noise(5 * width, 4);
        const auto part = [&](std::size_t i) { return parts.data() + i * width; };
        const std::vector<float> moments{0.3F, 2.5F};
        for (const Kernels* kernels : usable_kernels()) {
            SCOPED_TRACE(kernels->name);
            std::vector<float> to(width);
            kernels->sum({width, part(0), part(1), part(2), part(3), part(4), moments.data(), to.data()});
            for (std::size_t i = 0; i < width; ++i) {
                const double sum = double{part(0)[i]} + part(1)[i] + part(2)[i] - 0.3 * part(3)[i];
                EXPECT_NEAR(to[i], sum * 2.5 + part(4)[i], 2e-5);
            }
        }
    }
}

TEST(Rounding, GoesToTheNearestAndTiesToEven) {
    const std::vector<float> values{1.0F, -2.0F, 1.00390625F, 1.01171875F, 1.00390637F, 0.0F};
    for (const Kernels* kernels : usable_kernels()) {
        std::vector<std::uint16_t> to(values.size());
        kernels->round(values.data(), values.size(), to.data());
        EXPECT_EQ(to, (std::vector<std::uint16_t>{0x3F80, 0xC000, 0x3F80, 0x3F82, 0x3F81, 0})) << kernels->name;
    }
}

}  // namespace
}  // namespace wordbreadth::encoder::cpu
