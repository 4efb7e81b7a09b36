// The inner loops, compiled once for every instruction set (WORDBREADTH_ISA is its name). This file includes nothing
// with inline functions that the linker could share between the copies.
//
// Attention is that of the short sentences that corpora are made of. Queries lie across the lanes of a vector, up to 32
// together: softmax needs no sums across lanes, and keys and values are read one number at a time from where they are.
#include "encoder/cpu/kernels.h"

#define WORDBREADTH_TEXT(name) #name
#define WORDBREADTH_NAME(name) WORDBREADTH_TEXT(name)

namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA {

namespace {

constexpr std::size_t lanes = 16;
typedef float Floats __attribute__((vector_size(4 * lanes)));
typedef std::int32_t Integers __attribute__((vector_size(4 * lanes)));

inline Floats load(const float* from) {
    Floats value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

inline void store(Floats value, float* to) {
    __builtin_memcpy(to, &value, sizeof value);
}

inline std::uint16_t to_bfloat16(float value) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

float mean_of(const float* row, std::size_t width) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < width; ++i) sum += row[i];
    return sum / static_cast<float>(width);
}

float variance_of(const float* row, std::size_t width, float mean) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < width; ++i) sum += (row[i] - mean) * (row[i] - mean);
    return sum / static_cast<float>(width);
}

inline void put(float value, float& to) {
    to = value;
}

inline void put(float value, std::uint16_t& to) {
    to = to_bfloat16(value);
}

template <class To>
void scale(const float* row, std::size_t width, float mean, float factor, const float* weight, const float* bias,
           To* to) {
    if (bias == nullptr) {  // NOLINT(bugprone-branch-clone): it does not look into the pragma
#pragma omp simd
        for (std::size_t i = 0; i < width; ++i) put((row[i] - mean) * factor * weight[i], to[i]);
    } else {
#pragma omp simd
        for (std::size_t i = 0; i < width; ++i) put((row[i] - mean) * factor * weight[i] + bias[i], to[i]);
    }
}

void normalize(const NormTask& task) {
    for (std::size_t r = 0; r < task.rows; ++r) {
        const float* row = task.from + r * task.width;
        const float mean = task.centres ? mean_of(row, task.width) : 0;
        const float factor = 1 / __builtin_sqrtf(variance_of(row, task.width, mean) + task.epsilon);
        if (task.moments != nullptr) {
            task.moments[2 * r] = mean;
            task.moments[2 * r + 1] = factor;
        }
        // Before `to`, which may be the row itself.
        if (task.rounded != nullptr) {
            scale(row, task.width, mean, factor, task.weight, task.bias, task.rounded + r * task.width);
        }
        if (task.to != nullptr) scale(row, task.width, mean, factor, task.weight, task.bias, task.to + r * task.width);
    }
}

void sum(const SumTask& task) {
    const float mean = task.moments[0];
    const float factor = task.moments[1];
#pragma omp simd
    for (std::size_t i = 0; i < task.width; ++i) {
        const float all = task.word[i] + (task.position[i] + task.type[i]) - mean * task.ones[i];
        task.to[i] = all * factor + task.rest[i];
    }
}

void round(const float* from, std::size_t count, std::uint16_t* to) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) to[i] = to_bfloat16(from[i]);
}

// Blocks of 16 x 16 floats, transposed.
#if defined(__AVX512F__) && !defined(__clang__)  // Clang, by which the linter sees this, has no __builtin_shuffle

// Blocks of `size` lanes change places between two rows that are `size` apart.
template <std::int32_t size>
inline void swap_blocks(Floats* rows) {
    const Integers lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    constexpr auto all = static_cast<std::int32_t>(lanes);
    const Integers upper = (lane & size) == 0 ? lane : lane - size + all;
    const Integers lower = (lane & size) == 0 ? lane + size : lane + all;
#pragma GCC unroll 16
    for (std::int32_t i = 0; i < all; ++i) {
        if ((i & size) != 0) continue;
        const Floats a = rows[i];
        const Floats b = rows[i + size];
        rows[i] = __builtin_shuffle(a, b, upper);
        rows[i + size] = __builtin_shuffle(a, b, lower);
    }
}

inline void transpose(const float* from, std::size_t from_stride, float* to, std::size_t to_stride) {
    Floats rows[lanes];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < lanes; ++i) rows[i] = load(from + i * from_stride);
    swap_blocks<8>(rows);
    swap_blocks<4>(rows);
    swap_blocks<2>(rows);
    swap_blocks<1>(rows);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < lanes; ++i) store(rows[i], to + i * to_stride);
}

#else

// Without registers for a whole block, shuffling it costs more than this.
inline void transpose(const float* from, std::size_t from_stride, float* to, std::size_t to_stride) {
    for (std::size_t i = 0; i < lanes; ++i) {
        for (std::size_t j = 0; j < lanes; ++j) to[j * to_stride + i] = from[i * from_stride + j];
    }
}

#endif

constexpr float never = -1e30F;  // the score of a key that is not seen

// One head of one sentence: keys and values where they are, or rotated, and room for a block of queries.
struct Head {
    std::size_t size, padded_size;
    const float *key, *value;
    std::size_t key_stride, value_stride;
    float* rotated;   // (keys, size): the keys, where they are rotated
    float* scores;    // (keys, 2, lanes)
    float* rows;      // (lanes, padded_size): queries, answers
    float* across;    // (2, padded_size, lanes): the same, transposed
    float* relative;  // see Relative
};

Head lay_out(const AttentionTask& task) {
    Head head{};
    head.size = task.head_size;
    head.padded_size = (task.head_size + lanes - 1) / lanes * lanes;
    head.rows = task.space;
    head.across = head.rows + lanes * head.padded_size;
    head.scores = head.across + 2 * lanes * head.padded_size;
    head.rotated = head.scores + 2 * lanes * task.keys;
    head.relative = head.rotated + task.keys * task.head_size;
    head.key_stride = task.cosines != nullptr ? task.head_size : task.key_stride;
    head.value_stride = task.key_stride;
    return head;
}

// A row, turned by the angles of its position where the model does so.
inline void place(const AttentionTask& task, const float* row, std::size_t position, float* to) {
    if (task.cosines == nullptr) {
        for (std::size_t i = 0; i < task.head_size; ++i) to[i] = row[i];
        return;
    }
    const std::size_t half = task.head_size / 2;
    const float* cosine = task.cosines + position * half;
    const float* sine = task.sines + position * half;
    for (std::size_t i = 0; i < half; ++i) {
        to[i] = row[i] * cosine[i] - row[i + half] * sine[i];
        to[i + half] = row[i + half] * cosine[i] + row[i] * sine[i];
    }
}

void find_keys_and_values(const AttentionTask& task, std::size_t column, Head& head) {
    head.value = task.value + column;
    head.key = task.key + column;
    if (task.cosines == nullptr) return;
    for (std::size_t j = 0; j < task.keys; ++j)
        place(task, task.key + j * task.key_stride + column, j, head.rotated + j * head.size);
    head.key = head.rotated;
}

std::size_t position_of(const AttentionTask& task, std::size_t query) {
    return task.positions == nullptr ? query : task.positions[query] - task.position_offset;
}

std::size_t or_last(const AttentionTask& task, std::size_t query) {
    return query < task.queries ? query : task.queries - 1;
}

// Lanes past the last query hold what was there before; their answers are not used.
void load_queries(const AttentionTask& task, std::size_t column, const Head& head, std::size_t first, float* across) {
    const float* rows = task.query + first * task.query_stride + column;
    std::size_t stride = task.query_stride;
    const bool as_they_are = task.cosines == nullptr && head.size == head.padded_size && first + lanes <= task.queries;
    if (!as_they_are) {
        for (std::size_t query = first; query < task.queries && query < first + lanes; ++query)
            place(task, rows + (query - first) * stride, position_of(task, query),
                  head.rows + (query - first) * head.padded_size);
        rows = head.rows;
        stride = head.padded_size;
    }
    for (std::size_t i = 0; i < head.padded_size; i += lanes) transpose(rows + i, stride, across + i * lanes, lanes);
}

// Keys first .. first + count - 1 against all queries of the block.
template <std::size_t vectors, std::size_t count>
inline void score_keys(const Head& head, std::size_t first) {
    Floats sums[count][vectors] = {};
    const float* keys = head.key + first * head.key_stride;
    for (std::size_t i = 0; i < head.size; ++i) {
        for (std::size_t v = 0; v < vectors; ++v) {
            const Floats queries = load(head.across + (v * head.padded_size + i) * lanes);
            for (std::size_t k = 0; k < count; ++k) sums[k][v] += keys[k * head.key_stride + i] * queries;
        }
    }
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t v = 0; v < vectors; ++v) store(sums[k][v], head.scores + ((first + k) * vectors + v) * lanes);
    }
}

template <std::size_t vectors>
void score(const Head& head, std::size_t begin, std::size_t end) {
    constexpr std::size_t together = 6;
    std::size_t first = begin;
    for (; first + together <= end; first += together) score_keys<vectors, together>(head, first);
    for (; first < end; ++first) score_keys<vectors, 1>(head, first);
}

// e^x for x <= 0, to about 2 units in the last place: 2^n by its exponent's bits, the rest by a polynomial.
inline Floats exponential(Floats x) {
    const Floats least = Floats{} - 87;
    x = x > least ? x : least;
    const float shift = 12582912;  // 1.5 * 2^23: adding it leaves the whole number in the lowest bits
    const Floats shifted = x * 1.44269504F + shift;
    const Floats whole = shifted - shift;
    const Floats rest = (x - whole * 0.693359375F) + whole * 2.12194440e-4F;
    Floats sum = rest * 1.9875691500e-4F + 1.3981999507e-3F;
    sum = sum * rest + 8.3334519073e-3F;
    sum = sum * rest + 4.1665795894e-2F;
    sum = sum * rest + 1.6666665459e-1F;
    sum = sum * rest + 5.0000001201e-1F;
    sum = sum * rest * rest + rest + 1;
    return reinterpret_cast<Floats>(reinterpret_cast<Integers>(sum) + (reinterpret_cast<Integers>(shifted) << 23));
}

// Scores of keys begin .. end - 1 to weights, for one vector of queries; returns what their weights add up to.
template <std::size_t vectors>
Floats weigh(float* scores, std::size_t begin, std::size_t end, float scale) {
    Floats most = load(scores + begin * vectors * lanes);
    for (std::size_t j = begin + 1; j < end; ++j) {
        const Floats here = load(scores + j * vectors * lanes);
        most = here > most ? here : most;
    }
    Floats sum = {};
    for (std::size_t j = begin; j < end; ++j) {
        const Floats weights = exponential((load(scores + j * vectors * lanes) - most) * scale);
        store(weights, scores + j * vectors * lanes);
        sum += weights;
    }
    return sum;
}

// What lies further from a query than the layer reaches is not seen.
template <std::size_t vectors>
void hide(const AttentionTask& task, float* scores, std::size_t begin, std::size_t end, std::size_t first) {
    if (task.before >= task.keys && task.after >= task.keys) return;
    Integers positions;
    for (std::size_t lane = 0; lane < lanes; ++lane)
        positions[lane] = static_cast<std::int32_t>(position_of(task, or_last(task, first + lane)));
    const auto before = static_cast<std::int32_t>(task.before < task.keys ? task.before : task.keys);
    const auto after = static_cast<std::int32_t>(task.after < task.keys ? task.after : task.keys);
    for (std::size_t j = begin; j < end; ++j) {
        const Integers ahead = static_cast<std::int32_t>(j) - positions;
        const Floats unseen = Floats{} + never;
        const Floats here = load(scores + j * vectors * lanes);
        store(((ahead <= after) & (ahead >= -before)) ? here : unseen, scores + j * vectors * lanes);
    }
}

// The relative terms of one head of one sentence, for the buckets that its distances have.
struct Relative {
    const RelativeTerms* terms;  // or null: there are none
    std::size_t head;
    std::size_t first, width;  // buckets first .. first + width - 1; the width is a multiple of lanes
    float* of_keys;            // (keys, width): what each key adds by the bucket
    float* of_queries;         // (lanes, width): what each of some queries adds
};

// Row times the columns from `first` on of a table (size, stride): `count` vectors of sums.
template <std::size_t count>
inline void multiply_columns(const float* row, std::size_t size, const float* table, std::size_t stride, float* to) {
    Floats sums[count] = {};
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t c = 0; c < count; ++c) sums[c] += row[i] * load(table + i * stride + c * lanes);
    }
    for (std::size_t c = 0; c < count; ++c) store(sums[c], to + c * lanes);
}

void multiply(const float* row, std::size_t size, const float* table, const Relative& relative, float* to) {
    const std::size_t stride = relative.terms->stride;
    const float* columns = table + relative.head * size * stride + relative.first;
    std::size_t at = 0;
    for (; at + 4 * lanes <= relative.width; at += 4 * lanes)
        multiply_columns<4>(row, size, columns + at, stride, to + at);
    for (; at < relative.width; at += lanes) multiply_columns<1>(row, size, columns + at, stride, to + at);
}

Relative find_relative(const AttentionTask& task, const Head& head) {
    Relative relative{task.relative, 0, 0, 0, nullptr, nullptr};
    if (task.relative == nullptr) return relative;
    const auto farthest = static_cast<std::int32_t>(task.keys) - 1;
    std::int32_t least = task.relative->bucket_of[0];
    std::int32_t most = least;
    for (std::int32_t distance = -farthest; distance <= farthest; ++distance) {
        const std::int32_t bucket = task.relative->bucket_of[distance];
        least = bucket < least ? bucket : least;
        most = bucket > most ? bucket : most;
    }
    relative.first = static_cast<std::size_t>(least);
    relative.width = (static_cast<std::size_t>(most - least) + lanes) / lanes * lanes;
    relative.of_keys = head.relative;
    relative.of_queries = head.relative + task.keys * relative.width;
    return relative;
}

void find_terms_of_keys(const AttentionTask& task, const Head& head, Relative& relative, std::size_t number) {
    relative.head = number;
    if (relative.terms == nullptr || relative.terms->queries == nullptr) return;
    for (std::size_t j = 0; j < task.keys; ++j)
        multiply(head.key + j * head.key_stride, head.size, relative.terms->queries, relative,
                 relative.of_keys + j * relative.width);
}

// To the scores of one vector of queries, first .. first + lanes - 1. Not inlined: the loops around it, which most
// models run without it, would get worse code.
template <std::size_t vectors>
__attribute__((noinline)) void add_relative(const AttentionTask& task, std::size_t column, const Relative& relative,
                                            float* scores, std::size_t begin, std::size_t end, std::size_t first) {
    const RelativeTerms& terms = *relative.terms;
    std::int32_t positions[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t query = or_last(task, first + lane);
        positions[lane] = static_cast<std::int32_t>(position_of(task, query));
        if (terms.keys != nullptr)
            multiply(task.query + query * task.query_stride + column, task.head_size, terms.keys, relative,
                     relative.of_queries + lane * relative.width);
    }
    const float* bias = terms.bias == nullptr ? nullptr : terms.bias + relative.head * terms.stride;
    for (std::size_t j = begin; j < end; ++j) {
        const float* of_key = relative.of_keys + j * relative.width;
        float sums[lanes] = {};
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::int32_t bucket = terms.bucket_of[positions[lane] - static_cast<std::int32_t>(j)];
            const std::size_t at = static_cast<std::size_t>(bucket) - relative.first;
            if (bias != nullptr) sums[lane] += bias[bucket];
            if (terms.keys != nullptr) sums[lane] += relative.of_queries[lane * relative.width + at];
            if (terms.queries != nullptr) sums[lane] += of_key[at];
        }
        store(load(scores + j * vectors * lanes) + load(sums), scores + j * vectors * lanes);
    }
}

// Columns first .. first + count - 1 of the answers, across the lanes; `factors` are what the weights are divided by.
template <std::size_t vectors, std::size_t count>
inline void answer_columns(const Head& head, std::size_t begin, std::size_t end, std::size_t first,
                           const Floats* factors) {
    Floats sums[count][vectors] = {};
    for (std::size_t j = begin; j < end; ++j) {
        const float* value = head.value + j * head.value_stride + first;
        for (std::size_t v = 0; v < vectors; ++v) {
            const Floats weights = load(head.scores + (j * vectors + v) * lanes);
            for (std::size_t i = 0; i < count; ++i) sums[i][v] += value[i] * weights;
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t v = 0; v < vectors; ++v)
            store(sums[i][v] * factors[v], head.across + (v * head.padded_size + first + i) * lanes);
    }
}

template <std::size_t vectors>
void answer(const Head& head, std::size_t begin, std::size_t end, const Floats* factors) {
    constexpr std::size_t together = 8;
    std::size_t first = 0;
    for (; first + together <= head.size; first += together)
        answer_columns<vectors, together>(head, begin, end, first, factors);
    for (; first < head.size; ++first) answer_columns<vectors, 1>(head, begin, end, first, factors);
}

void write(const AttentionTask& task, std::size_t column, const Head& head, std::size_t first, const float* across) {
    for (std::size_t i = 0; i < head.padded_size; i += lanes)
        transpose(across + i * lanes, lanes, head.rows + i, head.padded_size);
    for (std::size_t lane = 0; lane < lanes && first + lane < task.queries; ++lane) {
        const float* row = head.rows + lane * head.padded_size;
        const std::size_t at = (first + lane) * task.to_stride + column;
        if (task.to != nullptr) {
            for (std::size_t i = 0; i < head.size; ++i) task.to[at + i] = row[i];
        } else {
            for (std::size_t i = 0; i < head.size; ++i) task.rounded[at + i] = to_bfloat16(row[i]);
        }
    }
}

// Queries first .. first + vectors * lanes - 1, or up to the last one.
template <std::size_t vectors>
void attend_together(const AttentionTask& task, std::size_t column, const Head& head, const Relative& relative,
                     std::size_t first) {
    const std::size_t last = or_last(task, first + vectors * lanes - 1);
    const std::size_t first_position = position_of(task, first);
    const std::size_t last_position = position_of(task, last);
    const std::size_t begin = first_position > task.before ? first_position - task.before : 0;
    const std::size_t end = task.after < task.keys - last_position ? last_position + task.after + 1 : task.keys;
    const std::size_t block = head.padded_size * lanes;
    for (std::size_t v = 0; v < vectors; ++v)
        load_queries(task, column, head, first + v * lanes, head.across + v * block);
    score<vectors>(head, begin, end);
    Floats factors[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        if (relative.terms != nullptr)
            add_relative<vectors>(task, column, relative, head.scores + v * lanes, begin, end, first + v * lanes);
        hide<vectors>(task, head.scores + v * lanes, begin, end, first + v * lanes);
        factors[v] = 1 / weigh<vectors>(head.scores + v * lanes, begin, end, task.scale);
    }
    answer<vectors>(head, begin, end, factors);
    for (std::size_t v = 0; v < vectors; ++v) write(task, column, head, first + v * lanes, head.across + v * block);
}

void attend(const AttentionTask& task) {
    Head head = lay_out(task);
    Relative relative = find_relative(task, head);
    const std::size_t shared_by = task.heads / task.key_heads;
    for (std::size_t number = 0; number < task.heads; ++number) {
        if (number % shared_by == 0) find_keys_and_values(task, number / shared_by * task.head_size, head);
        find_terms_of_keys(task, head, relative, number);
        const std::size_t column = number * task.head_size;
        std::size_t first = 0;
        for (; first + lanes < task.queries; first += 2 * lanes)
            attend_together<2>(task, column, head, relative, first);
        if (first < task.queries) attend_together<1>(task, column, head, relative, first);
    }
}

}  // namespace

extern const Kernels table;
const Kernels table{WORDBREADTH_NAME(WORDBREADTH_ISA), normalize, attend, sum, round};

}  // namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA
