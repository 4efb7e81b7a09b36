// The inner loops, compiled once for every instruction set (WORDBREADTH_ISA is its name). This file includes nothing
// with inline functions that the linker could share between the copies.
//
// Attention is that of the short sentences that corpora are made of. Queries lie across the lanes of a vector, two
// vectors together: softmax needs no sums across lanes, and keys and values are read one number at a time from where
// they are.
#include "encoder/cpu/kernels.h"

#define WORDBREADTH_TEXT(name) #name
#define WORDBREADTH_NAME(name) WORDBREADTH_TEXT(name)

namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA {

namespace {

// As many as a register has. GCC takes wider vectors apart, number by number: with 16 on AVX2, attention in sentences
// of 25 tokens, 12 heads of 64, took 48 us per token, and takes 1.9.
#if defined(__AVX512F__)
constexpr std::size_t lanes = 16;
#elif defined(__AVX2__)
constexpr std::size_t lanes = 8;
#else
constexpr std::size_t lanes = 4;
#endif
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

// Blocks of lanes x lanes floats, transposed.
#if !defined(__clang__)  // Clang, by which the linter sees this, has no __builtin_shuffle

// Blocks of `size` lanes change places between two rows that are `size` apart.
template <std::int32_t size>
inline void swap_blocks(Floats* rows) {
    constexpr std::int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    Integers lane;
    __builtin_memcpy(&lane, numbers, sizeof lane);
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
    if constexpr (lanes > 8) swap_blocks<8>(rows);
    if constexpr (lanes > 4) swap_blocks<4>(rows);
    swap_blocks<2>(rows);
    swap_blocks<1>(rows);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < lanes; ++i) store(rows[i], to + i * to_stride);
}

#else

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

// The relative terms of one head of one sentence, by distance. Pointers are to distance 0; there are columns for
// -(keys - 1) to keys - 1, and two vectors more, which lanes past the last query read.
struct Relative {
    const RelativeTerms* terms;  // or null: there are none
    bool in_place;               // buckets follow each other as distances do: the tables are used where they are
    std::size_t stride;
    const float* bias;     // or null
    const float* keys;     // (head_size, stride), or null
    const float* queries;  // (head_size, stride), or null
};

// So it is up to 129 tokens in DeBERTa-v3.
bool buckets_are_distances(const AttentionTask& task) {
    const RelativeTerms& terms = *task.relative;
    const auto farthest = static_cast<std::int32_t>(task.keys) - 1;
    for (std::int32_t distance = -farthest; distance <= farthest; ++distance)
        if (terms.bucket_of[distance] != terms.bucket_of[0] + distance) return false;
    return static_cast<std::size_t>(terms.bucket_of[0]) + task.keys + 2 * lanes <= terms.stride;
}

Relative find_relative(const AttentionTask& task) {
    Relative relative{task.relative, false, 0, nullptr, nullptr, nullptr};
    if (task.relative == nullptr) return relative;
    relative.in_place = buckets_are_distances(task);
    relative.stride = relative.in_place ? task.relative->stride : 2 * (task.keys + lanes);
    return relative;
}

// Of a table with a column per bucket, one with a column per distance.
const float* by_distance(const AttentionTask& task, const float* table, std::size_t rows, const Relative& relative,
                         float* space) {
    if (relative.in_place) return table + relative.terms->bucket_of[0];
    const auto farthest = static_cast<std::int32_t>(task.keys) - 1;
    for (std::size_t row = 0; row < rows; ++row) {
        const float* from = table + row * relative.terms->stride;
        float* to = space + row * relative.stride + farthest;
        for (std::int32_t distance = -farthest; distance <= farthest; ++distance)
            to[distance] = from[relative.terms->bucket_of[distance]];
    }
    return space + farthest;
}

void find_tables(const AttentionTask& task, const Head& head, Relative& relative, std::size_t number) {
    if (relative.terms == nullptr) return;
    float* space = head.relative;
    const auto find = [&](const float* tables, std::size_t rows) -> const float* {
        if (tables == nullptr) return nullptr;
        const float* found = by_distance(task, tables + number * rows * relative.terms->stride, rows, relative, space);
        space += rows * relative.stride;
        return found;
    };
    relative.bias = find(relative.terms->bias, 1);
    relative.keys = find(relative.terms->keys, head.size);
    relative.queries = find(relative.terms->queries, head.size);
}

inline std::ptrdiff_t distance_between(std::size_t query, std::size_t key) {
    return static_cast<std::ptrdiff_t>(query) - static_cast<std::ptrdiff_t>(key);
}

// To the scores of keys first .. first + count - 1 with queries that stand side by side, from `position` on. Their
// distances to a key follow each other too, so that a vector of a row of a table has what all of them need.
template <std::size_t vectors, std::size_t count>
inline void add_terms(const Head& head, const Relative& relative, std::size_t first, std::size_t position) {
    const std::ptrdiff_t distance = distance_between(position, first);
    float* scores = head.scores + first * vectors * lanes;
    Floats sums[count][vectors];
    const auto each = [&](const auto& work) {
        for (std::size_t v = 0; v < vectors; ++v)
            for (std::size_t k = 0; k < count; ++k) work(k, v, sums[k][v]);
    };
    each([&](std::size_t k, std::size_t v, Floats& sum) { sum = load(scores + (k * vectors + v) * lanes); });
    if (relative.bias != nullptr) {
        const float* row = relative.bias + distance;
        each([&](std::size_t k, std::size_t v, Floats& sum) { sum += load(row + v * lanes - k); });
    }
    for (std::size_t i = 0; relative.keys != nullptr && i < head.size; ++i) {
        const float* row = relative.keys + i * relative.stride + distance;
        each([&](std::size_t k, std::size_t v, Floats& sum) {
            sum += load(head.across + (v * head.padded_size + i) * lanes) * load(row + v * lanes - k);
        });
    }
    const float* keys = head.key + first * head.key_stride;
    for (std::size_t i = 0; relative.queries != nullptr && i < head.size; ++i) {
        const float* row = relative.queries + i * relative.stride + distance;
        each([&](std::size_t k, std::size_t v, Floats& sum) {
            sum += keys[k * head.key_stride + i] * load(row + v * lanes - k);
        });
    }
    each([&](std::size_t k, std::size_t v, Floats& sum) { store(sum, scores + (k * vectors + v) * lanes); });
}

// The same for one query, in the same order, wherever it stands; `scores` are in its lane.
template <std::size_t count>
inline void add_terms_of_one(const Head& head, const Relative& relative, const float* query, std::size_t position,
                             std::size_t first, float* scores, std::size_t score_stride) {
    const std::ptrdiff_t distance = distance_between(position, first);
    float sums[count];
    for (std::size_t k = 0; k < count; ++k) sums[k] = scores[(first + k) * score_stride];
    for (std::size_t k = 0; relative.bias != nullptr && k < count; ++k) sums[k] += *(relative.bias + distance - k);
    for (std::size_t i = 0; relative.keys != nullptr && i < head.size; ++i) {
        const float* row = relative.keys + i * relative.stride + distance;
        for (std::size_t k = 0; k < count; ++k) sums[k] += query[i] * *(row - k);
    }
    const float* keys = head.key + first * head.key_stride;
    for (std::size_t i = 0; relative.queries != nullptr && i < head.size; ++i) {
        const float* row = relative.queries + i * relative.stride + distance;
        for (std::size_t k = 0; k < count; ++k) sums[k] += keys[k * head.key_stride + i] * *(row - k);
    }
    for (std::size_t k = 0; k < count; ++k) scores[(first + k) * score_stride] = sums[k];
}

// Calls work.operator()<count>(first) for runs of keys.
template <class Work>
inline void for_keys_together(std::size_t begin, std::size_t end, const Work& work) {
    constexpr std::size_t together = 6;
    std::size_t first = begin;
    for (; first + together <= end; first += together) work.template operator()<together>(first);
    for (; first < end; ++first) work.template operator()<1>(first);
}

// To the scores of queries first .. last. Not inlined: the loops around it, which most models run without it, would get
// worse code.
template <std::size_t vectors>
__attribute__((noinline)) void add_relative(const AttentionTask& task, std::size_t column, const Head& head,
                                            const Relative& relative, std::size_t begin, std::size_t end,
                                            std::size_t first, std::size_t last) {
    const std::size_t position = position_of(task, first);
    if (position_of(task, last) - position == last - first) {
        for_keys_together(begin, end, [&]<std::size_t count>(std::size_t key) {
            add_terms<vectors, count>(head, relative, key, position);
        });
        return;
    }
    for (std::size_t query = first; query <= last; ++query) {
        for_keys_together(begin, end, [&]<std::size_t count>(std::size_t key) {
            add_terms_of_one<count>(head, relative, task.query + query * task.query_stride + column,
                                    position_of(task, query), key, head.scores + (query - first), vectors * lanes);
        });
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
    constexpr std::size_t together = lanes == 16 ? 8 : 4;  // AVX2 has 16 registers: with 8, a fifth slower
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
    if (relative.terms != nullptr) add_relative<vectors>(task, column, head, relative, begin, end, first, last);
    Floats factors[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        hide<vectors>(task, head.scores + v * lanes, begin, end, first + v * lanes);
        factors[v] = 1 / weigh<vectors>(head.scores + v * lanes, begin, end, task.scale);
    }
    answer<vectors>(head, begin, end, factors);
    for (std::size_t v = 0; v < vectors; ++v) write(task, column, head, first + v * lanes, head.across + v * block);
}

void attend(const AttentionTask& task) {
    Head head = lay_out(task);
    Relative relative = find_relative(task);
    const std::size_t shared_by = task.heads / task.key_heads;
    for (std::size_t number = 0; number < task.heads; ++number) {
        if (number % shared_by == 0) find_keys_and_values(task, number / shared_by * task.head_size, head);
        find_tables(task, head, relative, number);
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
