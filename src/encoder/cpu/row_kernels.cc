// Row by row: norms and rounding.
#include "encoder/cpu/kernels_each.h"

namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA {

extern const Kernels table;
const Kernels table{WORDBREADTH_NAME(WORDBREADTH_ISA), normalize, attend, sum, round};

namespace {

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

void scale(const float* row, std::size_t width, float mean, float factor, const float* weight, const float* bias,
           float* to) {
    if (bias == nullptr) {
#pragma omp simd
        for (std::size_t i = 0; i < width; ++i) to[i] = (row[i] - mean) * factor * weight[i];
    } else {
#pragma omp simd
        for (std::size_t i = 0; i < width; ++i) to[i] = (row[i] - mean) * factor * weight[i] + bias[i];
    }
}

void scale_rounded(const float* row, std::size_t width, float mean, float factor, const float* weight,
                   const float* bias, std::uint16_t* to) {
    if (bias == nullptr) {
#pragma omp simd
        for (std::size_t i = 0; i < width; ++i) to[i] = to_bfloat16((row[i] - mean) * factor * weight[i]);
    } else {
#pragma omp simd
        for (std::size_t i = 0; i < width; ++i) to[i] = to_bfloat16((row[i] - mean) * factor * weight[i] + bias[i]);
    }
}

}  // namespace

void normalize(const NormTask& task) {
    for (std::size_t r = 0; r < task.rows; ++r) {
        const float* row = task.from + r * task.width;
        const float mean = mean_of(row, task.width);
        const float factor = 1 / __builtin_sqrtf(variance_of(row, task.width, mean) + task.epsilon);
        if (task.moments != nullptr) {
            task.moments[2 * r] = mean;
            task.moments[2 * r + 1] = factor;
        }
        // Before `to`, which may be the row itself.
        if (task.rounded != nullptr) {
            scale_rounded(row, task.width, mean, factor, task.weight, task.bias, task.rounded + r * task.width);
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

}  // namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA
