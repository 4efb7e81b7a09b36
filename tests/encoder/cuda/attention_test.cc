// The attention kernels against plain float64, at awkward sizes.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "encoder/cuda/kernels.h"
#include "encoder/cuda/product.h"
#include "encoder/model_testing.h"
#include "support/gpu.h"

namespace wordbreadth::encoder::cuda {
namespace {

struct Case {
    std::size_t head_row, heads, before;
    bool rotates;
    std::size_t after = before;
    std::size_t key_heads = heads;
    bool by_distance = false;  // scores have a bias by distance
    bool by_position = false;  // and products with relative positions
};

constexpr std::size_t everywhere = snapshot::LayerAttention::everywhere;

std::string name_of(const testing::TestParamInfo<std::tuple<Case, Precision>>& info) {
    const auto& [c, precision] = info.param;
    const char* type = precision == Precision::f32 ? "F32" : precision == Precision::f16 ? "F16" : "Bf16";
    return "Head" + std::to_string(c.head_row) + "Heads" + std::to_string(c.heads) + "Of" +
           std::to_string(c.key_heads) + "Before" + (c.before == everywhere ? "All" : std::to_string(c.before)) +
           "After" + (c.after == everywhere ? "All" : std::to_string(c.after)) + (c.rotates ? "Rotated" : "") +
           (c.by_distance ? "ByDistance" : "") + (c.by_position ? "ByPosition" : "") + type;
}

class GpuAttention : public testing::TestWithParam<std::tuple<Case, Precision>> {
  protected:
    const std::vector<std::size_t> lengths_{1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50, 64, 65, 100, 131};
};

// Numbers that the type can hold.
std::vector<float> rounded_noise(std::size_t count, Precision precision, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 1.5F);
    std::vector<float> values(count);
    for (float& value : values) {
        value = normal(random);
        if (precision == Precision::f16) value = __half2float(__float2half(value));
        if (precision == Precision::bf16) value = __bfloat162float(__float2bfloat16(value));
    }
    return values;
}

std::vector<std::byte> as_operands(const std::vector<float>& values, Precision precision) {
    std::vector<std::byte> bytes(values.size() * bytes_of(precision));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const __half half = __float2half(values[i]);
        const __nv_bfloat16 brain = __float2bfloat16(values[i]);
        const void* from = precision == Precision::f32   ? static_cast<const void*>(&values[i])
                           : precision == Precision::f16 ? static_cast<const void*>(&half)
                                                         : &brain;
        std::memcpy(bytes.data() + i * bytes_of(precision), from, bytes_of(precision));
    }
    return bytes;
}

std::vector<float> as_floats(const std::vector<std::byte>& bytes, Precision precision) {
    std::vector<float> values(bytes.size() / bytes_of(precision));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::byte* at = bytes.data() + i * bytes_of(precision);
        __half half;
        __nv_bfloat16 brain;
        if (precision == Precision::f32) std::memcpy(&values[i], at, 4);
        if (precision == Precision::f16) std::memcpy(&half, at, 2), values[i] = __half2float(half);
        if (precision == Precision::bf16) std::memcpy(&brain, at, 2), values[i] = __bfloat162float(brain);
    }
    return values;
}

template <class T>
Buffer<T> on_device(const std::vector<T>& values, const Stream& stream) {
    Buffer<T> buffer(values.size());
    buffer.upload(values, stream);
    stream.wait();
    return buffer;
}

// Distances share buckets past this one.
constexpr std::int32_t far = 20;

std::int32_t bucket_of(std::ptrdiff_t distance) {
    return static_cast<std::int32_t>(std::clamp<std::ptrdiff_t>(distance, -far, far) + far);
}

struct Problem {
    Case c;
    Precision precision;
    std::vector<std::size_t> ends;
    std::vector<float> qkv;                              // (tokens, heads + 2 key_heads, head_row)
    std::vector<float> turns;                            // (position, head_row / 2, 2), or empty
    std::vector<float> bias;                             // (heads, buckets), or empty, as the next two
    std::vector<float> position_keys, position_queries;  // (buckets, heads, head_row)

    static constexpr std::size_t buckets = 2 * far + 1;

    // Of queries, then keys, then values.
    [[nodiscard]] std::size_t slots() const { return c.heads + 2 * c.key_heads; }
    [[nodiscard]] std::size_t width() const { return slots() * c.head_row; }
    [[nodiscard]] std::size_t key_of(std::size_t head) const { return c.heads + head / (c.heads / c.key_heads); }
    [[nodiscard]] float at(std::size_t row, std::size_t slot, std::size_t i) const {
        return qkv[row * width() + slot * c.head_row + i];
    }
    [[nodiscard]] double rotated(std::size_t row, std::size_t slot, std::size_t i, std::size_t position) const {
        const double x = at(row, slot, i / 2 * 2);
        const double y = at(row, slot, i / 2 * 2 + 1);
        if (turns.empty()) return i % 2 == 0 ? x : y;
        const double cosine = turns[position * c.head_row + i / 2 * 2];
        const double sine = turns[position * c.head_row + i / 2 * 2 + 1];
        return i % 2 == 0 ? x * cosine - y * sine : y * cosine + x * sine;
    }
};

Problem problem_of(const Case& c, Precision precision, const std::vector<std::size_t>& lengths) {
    Problem problem{c, precision, {}, {}, {}, {}, {}, {}};
    std::size_t tokens = 0;
    for (const std::size_t length : lengths) problem.ends.push_back(tokens += length);
    problem.qkv = rounded_noise(tokens * problem.width(), precision, 1);
    if (c.by_distance) problem.bias = rounded_noise(c.heads * Problem::buckets, Precision::f32, 2);
    if (c.by_position) {
        problem.position_keys = rounded_noise(Problem::buckets * c.heads * c.head_row, precision, 3);
        problem.position_queries = rounded_noise(Problem::buckets * c.heads * c.head_row, precision, 4);
    }
    if (!c.rotates) return problem;
    for (std::size_t position = 0; position < 200; ++position) {
        for (std::size_t i = 0; i < c.head_row / 2; ++i) {
            const double angle = static_cast<double>(position) / static_cast<double>(i + 1);
            problem.turns.push_back(static_cast<float>(std::cos(angle)));
            problem.turns.push_back(static_cast<float>(std::sin(angle)));
        }
    }
    return problem;
}

double relative_score(const Problem& p, std::size_t query, std::size_t key, std::size_t head) {
    if (!p.c.by_distance) return 0;
    const auto bucket = static_cast<std::size_t>(bucket_of(std::ptrdiff_t(query) - std::ptrdiff_t(key)));
    double score = p.bias[head * Problem::buckets + bucket];
    if (!p.c.by_position) return score;
    for (std::size_t i = 0; i < p.c.head_row; ++i) {
        const std::size_t at = (bucket * p.c.heads + head) * p.c.head_row + i;
        score += double{p.at(query, head, i)} * p.position_keys[at];
        score += double{p.at(key, p.key_of(head), i)} * p.position_queries[at];
    }
    return score;
}

// One query of one head, by the definition.
std::vector<double> plain_answer(const Problem& p, std::size_t begin, std::size_t end, std::size_t query,
                                 std::size_t head) {
    std::vector<double> answer(p.c.head_row);
    double sum = 0;
    for (std::size_t key = begin; key < end; ++key) {
        if (key > query ? key - query > p.c.after : query - key > p.c.before) continue;
        double score = relative_score(p, query, key, head);
        for (std::size_t i = 0; i < p.c.head_row; ++i)
            score += p.rotated(query, head, i, query - begin) * p.rotated(key, p.key_of(head), i, key - begin);
        const double weight = std::exp(score / std::sqrt(static_cast<double>(p.c.head_row)));
        sum += weight;
        for (std::size_t i = 0; i < p.c.head_row; ++i)
            answer[i] += weight * p.at(key, p.key_of(head) + p.c.key_heads, i);
    }
    for (double& value : answer) value /= sum;
    return answer;
}

std::vector<float> answers_of(const Problem& p) {
    const Stream stream;
    PackedPiece packed;
    const std::size_t tokens = p.ends.back();
    const std::vector<std::int32_t> ids(tokens);
    batching::Piece piece{0, 0, 0, 0, {}};
    for (const std::size_t end : p.ends) {
        piece.sentences.push_back({piece.end_token, end - piece.end_token, 0, 0});
        piece.end_token = end;
    }
    pack({ids, {}, p.ends, {}}, piece, {}, packed);
    const auto numbers = on_device(packed.numbers, stream);
    const auto qkv = on_device(as_operands(p.qkv, p.precision), stream);
    const Precision turns_in = p.precision == Precision::f32 ? Precision::f32 : Precision::f16;
    const auto turns = on_device(as_operands(p.turns, turns_in), stream);
    std::vector<std::int32_t> buckets;
    for (std::ptrdiff_t distance = -200; distance <= 200; ++distance) buckets.push_back(bucket_of(distance));
    const auto bucket_table = on_device(buckets, stream);
    const auto bias = on_device(p.bias, stream);
    const auto position_keys = on_device(as_operands(p.position_keys, p.precision), stream);
    const auto position_queries = on_device(as_operands(p.position_queries, p.precision), stream);
    const std::size_t head_bytes = p.c.head_row * bytes_of(p.precision);
    std::vector<std::byte> to(tokens * p.c.heads * head_bytes, std::byte{0xFF});
    const auto device_to = on_device(to, stream);
    attend(p.precision,
           {.heads = p.c.heads,
            .key_heads = p.c.key_heads,
            .head_row = p.c.head_row,
            .scale = 1 / std::sqrt(static_cast<float>(p.c.head_row)),
            .before = p.c.before,
            .after = p.c.after,
            .tiles = packed.tiles,
            .tile = reinterpret_cast<const Tile*>(numbers.data() + packed.tiles_at),
            .positions = numbers.data() + packed.positions_at,
            .query = qkv.data(),
            .key = qkv.data() + p.c.heads * head_bytes,
            .value = qkv.data() + (p.c.heads + p.c.key_heads) * head_bytes,
            .query_stride = p.width(),
            .key_stride = p.width(),
            .rotations = turns.data(),
            .relative = {Problem::buckets, p.c.by_distance ? bucket_table.data() + 200 : nullptr, bias.data(),
                         position_keys.data(), position_queries.data()},
            .to = device_to.data()},
           stream.get());
    device_to.download(to, stream);
    stream.wait();
    return as_floats(to, p.precision);
}

TEST_P(GpuAttention, IsThatOfTheDefinition) {
    WORDBREADTH_NEEDS_GPU();
    const auto& [c, precision] = GetParam();
    const Problem p = problem_of(c, precision, lengths_);
    const std::vector<float> answers = answers_of(p);
    const double tolerance = precision == Precision::f32 ? 2e-5 : precision == Precision::f16 ? 1e-2 : 6e-2;
    for (std::size_t s = 0; s < p.ends.size(); ++s) {
        const std::size_t begin = s == 0 ? 0 : p.ends[s - 1];
        for (std::size_t query = begin; query < p.ends[s]; ++query) {
            for (std::size_t head = 0; head < c.heads; ++head) {
                const auto expected = plain_answer(p, begin, p.ends[s], query, head);
                for (std::size_t i = 0; i < c.head_row; ++i)
                    ASSERT_NEAR(answers[(query * c.heads + head) * c.head_row + i], expected[i], tolerance)
                        << "sentence of " << p.ends[s] - begin << ", query " << query - begin << ", value " << i;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, GpuAttention,
    testing::Combine(testing::Values(Case{32, 3, everywhere, false}, Case{64, 2, everywhere, false},
                                     Case{64, 1, 0, false}, Case{64, 2, 5, true}, Case{64, 1, 64, true},
                                     Case{96, 1, 20, true}, Case{128, 2, everywhere, true}, Case{32, 1, 33, true},
                                     Case{64, 3, everywhere, true, 0}, Case{64, 14, everywhere, true, 0, 2},
                                     Case{128, 6, 17, true, 0, 2}, Case{32, 4, 0, false, 3, 1},
                                     Case{64, 2, everywhere, false, everywhere, 2, true},
                                     Case{32, 3, 20, false, 7, 3, true},
                                     Case{64, 2, everywhere, false, everywhere, 2, true, true},
                                     Case{32, 3, everywhere, false, everywhere, 3, true, true},
                                     Case{96, 2, everywhere, false, everywhere, 2, true, true},
                                     Case{128, 1, everywhere, false, everywhere, 1, true, true},
                                     Case{64, 2, 20, false, 7, 2, true, true}),
                     testing::Values(Precision::f32, Precision::bf16, Precision::f16)),
    name_of);

}  // namespace
}  // namespace wordbreadth::encoder::cuda
