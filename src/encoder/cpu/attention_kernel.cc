// Attention of the short sentences that corpora are made of: a head's keys and values fit the nearest cache, and four
// queries are answered together, so that every key that is loaded is used four times.
#include "encoder/cpu/kernels_each.h"

namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA {

namespace {

constexpr std::size_t together = 4;  // queries
constexpr float never = -1e30F;      // the score of a key that is not seen

// One head of one sentence, laid out for the loops below.
struct Head {
    std::size_t keys, padded_keys, size, padded_size;
    float* keys_across;  // (size, padded_keys)
    float* values;       // (padded_keys, padded_size)
    float* queries;      // (together, size)
    float* scores;       // (together, padded_keys)
    float* answers;      // (together, padded_size)
};

Head lay_out(const AttentionTask& task) {
    Head head{};
    head.keys = task.keys;
    head.padded_keys = (task.keys + lanes - 1) / lanes * lanes;
    head.size = task.head_size;
    head.padded_size = (task.head_size + 2 * lanes - 1) / (2 * lanes) * (2 * lanes);
    head.keys_across = task.space;
    head.values = head.keys_across + head.size * head.padded_keys;
    head.scores = head.values + head.padded_keys * head.padded_size;
    head.queries = head.scores + together * head.padded_keys;
    head.answers = head.queries + together * head.size;
    return head;
}

// A row, turned by the angles of its position, to places `step` apart.
void rotate(const AttentionTask& task, const float* row, std::size_t position, float factor, float* to,
            std::size_t step) {
    const std::size_t half = task.head_size / 2;
    const float* cosine = task.cosines + position * half;
    const float* sine = task.sines + position * half;
    for (std::size_t i = 0; i < half; ++i) {
        to[i * step] = factor * (row[i] * cosine[i] - row[i + half] * sine[i]);
        to[(i + half) * step] = factor * (row[i + half] * cosine[i] + row[i] * sine[i]);
    }
}

void place(const AttentionTask& task, const float* row, std::size_t position, float factor, float* to,
           std::size_t step) {
    if (task.cosines != nullptr) return rotate(task, row, position, factor, to, step);
    for (std::size_t i = 0; i < task.head_size; ++i) to[i * step] = factor * row[i];
}

void load_keys_and_values(const AttentionTask& task, std::size_t column, const Head& head) {
    for (std::size_t j = 0; j < head.keys; ++j) {
        place(task, task.key + j * task.key_stride + column, j, 1, head.keys_across + j, head.padded_keys);
        const float* value = task.value + j * task.key_stride + column;
        float* to = head.values + j * head.padded_size;
        for (std::size_t i = 0; i < head.size; ++i) to[i] = value[i];
        for (std::size_t i = head.size; i < head.padded_size; ++i) to[i] = 0;
    }
    for (std::size_t i = 0; i < head.size; ++i) {
        for (std::size_t j = head.keys; j < head.padded_keys; ++j) head.keys_across[i * head.padded_keys + j] = 0;
    }
}

template <std::size_t vectors>
inline void score_keys(const Head& head, std::size_t first) {
    Floats sums[together][vectors] = {};
    for (std::size_t i = 0; i < head.size; ++i) {
        Floats keys[vectors];
        for (std::size_t v = 0; v < vectors; ++v)
            keys[v] = load(head.keys_across + i * head.padded_keys + first + v * lanes);
        for (std::size_t q = 0; q < together; ++q) {
            for (std::size_t v = 0; v < vectors; ++v) sums[q][v] += head.queries[q * head.size + i] * keys[v];
        }
    }
    for (std::size_t q = 0; q < together; ++q) {
        for (std::size_t v = 0; v < vectors; ++v)
            store(sums[q][v], head.scores + q * head.padded_keys + first + v * lanes);
    }
}

// Both are multiples of `lanes`.
void score(const Head& head, std::size_t begin, std::size_t end) {
    std::size_t first = begin;
    for (; first + 2 * lanes <= end; first += 2 * lanes) score_keys<2>(head, first);
    if (first < end) score_keys<1>(head, first);
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

// Scores to weights; returns what the weights add up to.
float weigh(float* scores, std::size_t begin, std::size_t end) {
    Floats most = load(scores + begin);
    for (std::size_t j = begin; j < end; j += lanes) {
        const Floats here = load(scores + j);
        most = here > most ? here : most;
    }
    float top = most[0];
    for (std::size_t i = 1; i < lanes; ++i) top = most[i] > top ? most[i] : top;
    Floats sums = {};
    for (std::size_t j = begin; j < end; j += lanes) {
        const Floats weights = exponential(load(scores + j) - top);
        store(weights, scores + j);
        sums += weights;
    }
    float sum = 0;
    for (std::size_t i = 0; i < lanes; ++i) sum += sums[i];
    return sum;
}

// Outside [first, last) of the row's stretch [begin, end) nothing is seen.
void hide(float* scores, std::size_t begin, std::size_t end, std::size_t first, std::size_t last) {
    for (std::size_t j = begin; j < first; ++j) scores[j] = never;
    for (std::size_t j = last; j < end; ++j) scores[j] = never;
}

void answer(const Head& head, std::size_t begin, std::size_t end) {
    for (std::size_t column = 0; column < head.padded_size; column += 2 * lanes) {
        Floats sums[together][2] = {};
        for (std::size_t j = begin; j < end; ++j) {
            const Floats left = load(head.values + j * head.padded_size + column);
            const Floats right = load(head.values + j * head.padded_size + column + lanes);
            for (std::size_t q = 0; q < together; ++q) {
                const float weight = head.scores[q * head.padded_keys + j];
                sums[q][0] += weight * left;
                sums[q][1] += weight * right;
            }
        }
        for (std::size_t q = 0; q < together; ++q) {
            store(sums[q][0], head.answers + q * head.padded_size + column);
            store(sums[q][1], head.answers + q * head.padded_size + column + lanes);
        }
    }
}

void write(const AttentionTask& task, const float* answer, float factor, std::size_t query, std::size_t column) {
    const std::size_t at = query * task.heads * task.head_size + column;
    if (task.to != nullptr) {
        for (std::size_t i = 0; i < task.head_size; ++i) task.to[at + i] = factor * answer[i];
    } else {
        for (std::size_t i = 0; i < task.head_size; ++i) task.rounded[at + i] = to_bfloat16(factor * answer[i]);
    }
}

std::size_t position_of(const AttentionTask& task, std::size_t query) {
    return task.positions == nullptr ? query : task.positions[query] - task.position_offset;
}

std::size_t first_seen(const AttentionTask& task, std::size_t position) {
    return position > task.reach ? position - task.reach : 0;
}

std::size_t last_seen(const AttentionTask& task, std::size_t position) {
    return task.reach < task.keys - position ? position + task.reach + 1 : task.keys;
}

// Queries first .. first + together - 1; those past the end repeat the last and are not written.
void attend_together(const AttentionTask& task, std::size_t column, const Head& head, std::size_t first) {
    const std::size_t count = task.queries - first < together ? task.queries - first : together;
    std::size_t positions[together];
    const float scale = 1 / __builtin_sqrtf(static_cast<float>(task.head_size));
    for (std::size_t q = 0; q < together; ++q) {
        const std::size_t query = first + (q < count ? q : count - 1);
        positions[q] = position_of(task, query);
        place(task, task.query + query * task.query_stride + column, positions[q], scale, head.queries + q * head.size,
              1);
    }
    const std::size_t begin = first_seen(task, positions[0]) / lanes * lanes;
    const std::size_t last = last_seen(task, positions[together - 1]);
    const std::size_t end = (last + lanes - 1) / lanes * lanes;
    score(head, begin, end);
    float sums[together];
    for (std::size_t q = 0; q < together; ++q) {
        float* scores = head.scores + q * head.padded_keys;
        hide(scores, begin, end, first_seen(task, positions[q]), last_seen(task, positions[q]));
        sums[q] = weigh(scores, begin, end);
    }
    answer(head, begin, last);
    for (std::size_t q = 0; q < count; ++q)
        write(task, head.answers + q * head.padded_size, 1 / sums[q], first + q, column);
}

}  // namespace

void attend(const AttentionTask& task) {
    const Head head = lay_out(task);
    for (std::size_t h = 0; h < task.heads; ++h) {
        load_keys_and_values(task, h * task.head_size, head);
        for (std::size_t first = 0; first < task.queries; first += together) {
            attend_together(task, h * task.head_size, head, first);
        }
    }
}

}  // namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA
