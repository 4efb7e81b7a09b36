// A row in the registers of a warp: lane l holds eight values of every 256, those from 8 l on.
#pragma once

#include <cstddef>

#include "cuda/runtime.h"
#include "cuda/warp.cuh"
#include "encoder/cuda/kernels.h"
#include "encoder/cuda/layout.h"
#include "encoder/cuda/operand.cuh"

namespace wordbreadth::encoder::cuda {

inline constexpr int row_threads = 256;  // of a block: eight rows

template <int steps>
struct Row {
    float values[steps][8];
    int width, row;  // the model's own, and padded

    __device__ Row(const RowSizes& sizes)
        : values{}, width(static_cast<int>(sizes.width)), row(static_cast<int>(sizes.row)) {}

    static __device__ int column(int step) { return (step * 32 + static_cast<int>(threadIdx.x % 32)) * 8; }

    // `work(step, column)` for the eights that this lane holds.
    template <class Work>
    __device__ void each(const Work& work) {
#pragma unroll
        for (int step = 0; step < steps; ++step)
            if (column(step) < row) work(step, column(step));
    }

    template <class T>
    __device__ void add(const T* from) {
        each([&](int step, int column) {
            float more[8];
            load_eight(from + column, more);
#pragma unroll
            for (int i = 0; i < 8; ++i) values[step][i] += more[i];
        });
    }

    template <class T>
    __device__ void store(T* to) {
        each([&](int step, int column) { store_eight(values[step], to + column); });
    }

    // To mean 0 and variance 1, then scaled and shifted. Past the model's width weights are 0, and so is the result.
    __device__ void normalize(const NormView& norm) {
        const float mean = sum([](float value) { return value; }) / static_cast<float>(width);
        const float variance = sum([=](float value) { return (value - mean) * (value - mean); });
        const float factor = rsqrtf(variance / static_cast<float>(width) + norm.epsilon);
        each([&](int step, int column) {
            float weight[8];
            float bias[8] = {};
            load_eight(norm.weight + column, weight);
            if (norm.bias != nullptr) load_eight(norm.bias + column, bias);
#pragma unroll
            for (int i = 0; i < 8; ++i) values[step][i] = (values[step][i] - mean) * factor * weight[i] + bias[i];
        });
    }

    __device__ void hand_out(const VectorsView& vectors, std::size_t index) {
        float* to = vectors.values + index * static_cast<std::size_t>(row);
        if (vectors.add) add(to);
        bool finite = true;
        each([&](int step, int column) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                values[step][i] *= vectors.scale;
                finite = finite && isfinite(values[step][i]);
            }
            store_eight(values[step], to + column);
        });
        if (!finite) *vectors.not_finite = 1;  // whoever writes, writes the same
    }

  private:
    // Over the model's own columns.
    template <class Function>
    __device__ float sum(const Function& function) {
        float total = 0;
        each([&](int step, int column) {
#pragma unroll
            for (int i = 0; i < 8; ++i)
                if (column + i < width) total += function(values[step][i]);
        });
        return ::wordbreadth::cuda::sum_of_warp(total);
    }
};

__device__ inline std::size_t row_of_warp() {
    return std::size_t{blockIdx.x} * (row_threads / 32) + threadIdx.x / 32;
}

inline unsigned row_blocks(std::size_t rows) {
    return static_cast<unsigned>((rows + row_threads / 32 - 1) / (row_threads / 32));
}

template <int value>
struct Constant {
    static constexpr int steps = value;
};

// Calls `work` with the smallest Constant<steps> that holds rows of so many values, 4096 at most.
template <class Work>
void with_steps(std::size_t row, const Work& work) {
    if (row <= 256) return work(Constant<1>{});
    if (row <= 512) return work(Constant<2>{});
    if (row <= 768) return work(Constant<3>{});
    if (row <= 1024) return work(Constant<4>{});
    if (row <= 2048) return work(Constant<8>{});
    static_assert(widest_row == 16 * 256);
    work(Constant<16>{});
}

}  // namespace wordbreadth::encoder::cuda
