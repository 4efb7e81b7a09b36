// The encoder's inner loops against plain float64, at awkward sizes.
#include "encoder/cpu/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
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
    std::size_t keys, heads, head_size, before;
    std::size_t after = before;
    std::size_t key_heads = heads;
    bool by_distance = false;  // scores have terms by distance
};

// Distances share buckets past this one.
constexpr std::int32_t far = 40;
constexpr std::size_t buckets = 2 * far + 1;
constexpr std::size_t stride = buckets + 16;

std::vector<std::int32_t> buckets_of_distances(std::size_t keys) {
    std::vector<std::int32_t> all;
    for (auto distance = 1 - static_cast<std::int32_t>(keys); distance < static_cast<std::int32_t>(keys); ++distance)
        all.push_back(std::clamp(distance, -far, far) + far);
    return all;
}

struct Problem {
    explicit Problem(const Case& its) : c(its) {}

    const Case c;
    const std::size_t width = (c.heads + 2 * c.key_heads) * c.head_size;
    const std::vector<float> qkv = noise(c.keys * width, 7);  // (keys, heads + 2 key_heads, head_size)
    const std::vector<float> bias = noise(c.heads * stride, 8);
    const std::vector<float> position_keys = noise(c.heads * c.head_size * stride, 9);
    const std::vector<float> position_queries = noise(c.heads * c.head_size * stride, 10);
    const std::vector<std::int32_t> bucket_of = buckets_of_distances(c.keys);

    [[nodiscard]] std::size_t key_of(std::size_t head) const { return c.heads + head / (c.heads / c.key_heads); }
    [[nodiscard]] double at(std::size_t row, std::size_t slot, std::size_t i) const {
        return qkv[row * width + slot * c.head_size + i];
    }
    [[nodiscard]] double score(std::size_t query, std::size_t key, std::size_t head) const {
        const auto bucket = static_cast<std::size_t>(bucket_of[query + c.keys - 1 - key]);
        double score = c.by_distance ? bias[head * stride + bucket] : 0;
        for (std::size_t i = 0; i < c.head_size; ++i) {
            const std::size_t place = (head * c.head_size + i) * stride + bucket;
            score += at(query, head, i) * at(key, key_of(head), i);
            if (c.by_distance)
                score += at(query, head, i) * position_keys[place] + at(key, key_of(head), i) * position_queries[place];
        }
        return score;
    }
};

// One query of one head, by the definition.
std::vector<double> plain_answer(const Problem& p, std::size_t query, std::size_t head) {
    std::vector<double> answer(p.c.head_size);
    double sum = 0;
    for (std::size_t key = 0; key < p.c.keys; ++key) {
        if (key > query ? key - query > p.c.after : query - key > p.c.before) continue;
        const double weight = std::exp(p.score(query, key, head) / std::sqrt(static_cast<double>(p.c.head_size)));
        sum += weight;
        for (std::size_t i = 0; i < p.c.head_size; ++i)
            answer[i] += weight * p.at(key, p.key_of(head) + p.c.key_heads, i);
    }
    for (double& value : answer) value /= sum;
    return answer;
}

void expect_answers(const Problem& p, const std::vector<float>& answers) {
    const double tolerance = p.c.by_distance ? 3e-5 : 1e-5;  // scores are three sums instead of one
    for (std::size_t query = 0; query < p.c.keys; ++query) {
        for (std::size_t head = 0; head < p.c.heads; ++head) {
            const auto expected = plain_answer(p, query, head);
            for (std::size_t i = 0; i < p.c.head_size; ++i)
                ASSERT_NEAR(answers[(query * p.c.heads + head) * p.c.head_size + i], expected[i], tolerance)
                    << query << " " << head;
        }
    }
}

class Attention : public testing::TestWithParam<Case> {};

// All heads of all queries; the problem must outlive it.
struct Attending {
    explicit Attending(const Problem& p)
        : space(attention_space(p.c.keys, p.c.head_size, p.c.by_distance)),
          answers(p.c.keys * p.c.heads * p.c.head_size),
          relative{stride, p.bucket_of.data() + p.c.keys - 1, p.bias.data(), p.position_keys.data(),
                   p.position_queries.data()} {
        task.queries = task.keys = p.c.keys;
        task.heads = p.c.heads;
        task.key_heads = p.c.key_heads;
        task.head_size = p.c.head_size;
        task.scale = 1 / std::sqrt(static_cast<float>(p.c.head_size));
        task.before = p.c.before;
        task.after = p.c.after;
        task.query = p.qkv.data();
        task.key = p.qkv.data() + p.c.heads * p.c.head_size;
        task.value = task.key + p.c.key_heads * p.c.head_size;
        task.query_stride = task.key_stride = p.width;
        task.to_stride = p.c.heads * p.c.head_size;
        if (p.c.by_distance) task.relative = &relative;
        task.space = space.data();
        task.to = answers.data();
    }

    std::vector<float> space, answers;
    RelativeTerms relative;
    AttentionTask task{};
};

TEST_P(Attention, IsThatOfTheDefinition) {
    const Problem p(GetParam());
    Attending attending(p);
    for (const Kernels* kernels : usable_kernels()) {
        SCOPED_TRACE(kernels->name);
        kernels->attend(attending.task);
        expect_answers(p, attending.answers);
    }
}

TEST_P(Attention, OfSomeQueriesIsToTheLastBitThatOfAll) {
    const Problem p(GetParam());
    for (const Kernels* kernels : usable_kernels()) {
        SCOPED_TRACE(kernels->name);
        Attending of_all(p);
        kernels->attend(of_all.task);
        Attending of_some(p);
        std::vector<std::size_t> positions;
        std::vector<float> queries;
        for (std::size_t position = p.c.keys / 3; position < p.c.keys; position += 1 + position % 3) {
            positions.push_back(position);
            const auto row = p.qkv.begin() + static_cast<std::ptrdiff_t>(position * p.width);
            queries.insert(queries.end(), row, row + static_cast<std::ptrdiff_t>(p.width));
        }
        of_some.task.queries = positions.size();
        of_some.task.positions = positions.data();
        of_some.task.query = queries.data();
        kernels->attend(of_some.task);
        const std::size_t width = of_all.task.to_stride;
        for (std::size_t k = 0; k < positions.size(); ++k)
            ASSERT_TRUE(std::equal(of_some.answers.data() + k * width, of_some.answers.data() + (k + 1) * width,
                                   of_all.answers.data() + positions[k] * width))
                << positions[k];
    }
}

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
INSTANTIATE_TEST_SUITE_P(Sizes, Attention,
                         testing::Values(Case{1, 1, 1, all}, Case{2, 3, 7, all}, Case{15, 2, 16, all},
                                         Case{16, 2, 32, all}, Case{17, 1, 33, all}, Case{31, 2, 64, all},
                                         Case{33, 2, 40, 0}, Case{64, 1, 8, 1}, Case{65, 2, 32, 5},
                                         Case{130, 1, 64, 64}, Case{200, 1, 16, 16}, Case{513, 1, 32, all},
                                         Case{12, 1, 384, all}, Case{1, 2, 6, all, 0}, Case{50, 3, 14, all, 0, 1},
                                         Case{35, 6, 10, 7, 0, 2}, Case{40, 2, 5, 0, 3, 1},
                                         Case{1, 2, 7, all, all, 2, true}, Case{2, 1, 16, all, all, 1, true},
                                         Case{23, 2, 9, all, all, 2, true}, Case{37, 3, 7, all, all, 3, true},
                                         Case{70, 2, 33, 20, 0, 2, true}));

TEST(Norm, DividesByTheRootMeanSquareAloneWhereItDoesNotCentre) {
    for (const Kernels* kernels : usable_kernels()) {
        SCOPED_TRACE(kernels->name);
        const std::vector<float> row{3, 4, 0, 0, 5};
        const std::vector<float> weight{1, 2, 1, 1, 0.5F};
        std::vector<float> to(5);
        kernels->normalize({1, 5, row.data(), weight.data(), nullptr, 1e-6F, false, to.data(), nullptr, nullptr});
        const double root = std::sqrt(10 + 1e-6);
        for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(to[i], row[i] / root * weight[i], 1e-6);
    }
}

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
