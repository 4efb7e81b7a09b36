// Embeddings, the sums and norms between the products, and activations that cuBLASLt does not have. A warp per row:
// each value is read once and written once, and the memory's speed is the bound.
#include <cstddef>
#include <type_traits>

#include "cuda/runtime.h"
#include "cuda/warp.cuh"
#include "encoder/cuda/kernels.h"
#include "encoder/cuda/operand.cuh"

namespace wordbreadth::encoder::cuda {
namespace {

constexpr int row_threads = 256;  // of a block: eight rows

// A row in the registers of a warp: lane l holds eight values of every 256, those from 8 l on.
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

    // To mean 0 and variance 1, or to a mean square of 1; then scaled and shifted. Past the model's width weights are
    // 0, and so is the result.
    __device__ void normalize(const NormView& norm) {
        const float mean = norm.centres ? sum([](float value) { return value; }) / static_cast<float>(width) : 0;
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

template <int steps>
using Steps = std::integral_constant<int, steps>;

// Calls `work` with the fewest Steps that hold rows of this many values, 4096 at most.
template <class Work>
void with_steps(std::size_t row, const Work& work) {
    if (row <= 256) return work(Steps<1>{});
    if (row <= 512) return work(Steps<2>{});
    if (row <= 768) return work(Steps<3>{});
    if (row <= 1024) return work(Steps<4>{});
    if (row <= 2048) return work(Steps<8>{});
    static_assert(widest_row == 16 * 256);
    work(Steps<16>{});
}

template <class T, int steps>
__global__ void __launch_bounds__(row_threads) embed_rows(EmbedTask task) {
    const std::size_t index = row_of_warp();
    if (index >= task.sizes.rows) return;
    const auto row_in = [&](const float* table, std::int32_t number) {
        return table + static_cast<std::size_t>(number) * task.sizes.row;
    };
    Row<steps> row(task.sizes);
    row.add(row_in(task.word_rows, task.ids[index]));
    if (task.type_rows != nullptr) row.add(row_in(task.type_rows, task.types == nullptr ? 0 : task.types[index]));
    if (task.position_rows != nullptr) row.add(row_in(task.position_rows, task.positions[index]));
    if (task.norm.weight != nullptr) row.normalize(task.norm);
    if (task.residual != nullptr) row.store(task.residual + index * task.sizes.row);
    if (task.next.weight != nullptr) row.normalize(task.next);
    row.store(static_cast<T*>(task.operands) + index * task.sizes.row);
}

template <class T>
__global__ void __launch_bounds__(row_threads) normalize_head_rows(HeadNormTask task) {
    const std::size_t index = row_of_warp();
    if (index >= task.rows * task.heads) return;
    Row<1> row({1, task.head, task.head_row});
    T* values = static_cast<T*>(task.values) + index / task.heads * task.stride + index % task.heads * task.head_row;
    row.add(values);
    row.normalize(task.norm);
    row.store(values);
}

template <class T, int steps>
__global__ void __launch_bounds__(row_threads) carry_rows(CarryTask task) {
    const std::size_t index = row_of_warp();
    if (index >= task.sizes.rows) return;
    const std::size_t at = index * task.sizes.row;
    const std::size_t from = task.taken == nullptr ? at : static_cast<std::size_t>(task.taken[index]) * task.sizes.row;
    Row<steps> row(task.sizes);
    if (task.delta != nullptr) row.add(static_cast<const T*>(task.delta) + at);
    if (task.residual != nullptr) {
        row.add(task.residual + from);
        if (task.vectors.values == nullptr) row.store(task.residual + from);
    } else {
        row.add(static_cast<const T*>(task.source) + from);
    }
    if (task.norm.weight != nullptr) row.normalize(task.norm);
    if (task.vectors.values != nullptr) return row.hand_out(task.vectors, index);
    row.store(static_cast<T*>(task.operands) + at);
}

// Launches a kernel for this type and this width. `launch` is given the type and the steps.
template <class Launch>
void with_row(Precision precision, const RowSizes& sizes, const char* name, const Launch& launch) {
    if (sizes.rows == 0) return;
    with_operand_type(precision, [&](auto type) { with_steps(sizes.row, [&](auto steps) { launch(type, steps); }); });
    ::wordbreadth::cuda::check_launch(name);
}

// ---- values by themselves, eight a thread; the memory's speed is the bound again

constexpr int threads = 256;

__device__ float activated(Activation activation, float x) {
    switch (activation) {
        case Activation::gelu:
            return 0.5F * x * (1 + erff(x * 0.70710678118654752F));
        case Activation::gelu_tanh:
            return 0.5F * x * (1 + tanhf(0.79788456080286536F * (x + 0.044715F * x * x * x)));
        case Activation::quick_gelu:
            return x / (1 + expf(-1.702F * x));
        case Activation::relu:
            return fmaxf(x, 0);
        case Activation::silu:
            return x / (1 + expf(-x));
        case Activation::tanh:
            return tanhf(x);
        case Activation::sigmoid:
            return 1 / (1 + expf(-x));
    }
    return x;
}

__device__ std::size_t index_of_thread() {
    return std::size_t{blockIdx.x} * threads + threadIdx.x;
}

template <class T>
__global__ void __launch_bounds__(threads) activate_all(Activation activation, std::size_t eights, T* values) {
    const std::size_t index = index_of_thread();
    if (index >= eights) return;
    float eight[8];
    load_eight(values + 8 * index, eight);
#pragma unroll
    for (float& value : eight) value = activated(activation, value);
    store_eight(eight, values + 8 * index);
}

template <class T>
__global__ void __launch_bounds__(threads)
    multiply_all(Activation activation, std::size_t rows, std::size_t width, const T* both, T* to) {
    const std::size_t index = index_of_thread();
    if (index >= rows * (width / 8)) return;
    const std::size_t row = index / (width / 8);
    const std::size_t column = index % (width / 8) * 8;
    float up[8];
    float gate[8];
    load_eight(both + 2 * row * width + column, up);
    load_eight(both + (2 * row + 1) * width + column, gate);
#pragma unroll
    for (int i = 0; i < 8; ++i) up[i] = activated(activation, up[i]) * gate[i];
    store_eight(up, to + row * width + column);
}

template <class T>
__global__ void __launch_bounds__(threads) round_all(std::size_t eights, const float* from, T* to) {
    const std::size_t index = index_of_thread();
    if (index >= eights) return;
    float eight[8];
    load_eight(from + 8 * index, eight);
    store_eight(eight, to + 8 * index);
}

// Launches a kernel for this type. `launch` is given a value of it and the number of blocks.
template <class Launch>
void with_eights(Precision precision, std::size_t eights, const char* name, const Launch& launch) {
    if (eights == 0) return;
    const auto blocks = static_cast<unsigned>((eights + threads - 1) / threads);
    with_operand_type(precision, [&](auto type) { launch(type, blocks); });
    ::wordbreadth::cuda::check_launch(name);
}

}  // namespace

void embed(Precision precision, const EmbedTask& task, cudaStream_t stream) {
    with_row(precision, task.sizes, "embed_rows", [&](auto type, auto steps) {
        embed_rows<decltype(type), decltype(steps)::value>
            <<<row_blocks(task.sizes.rows), row_threads, 0, stream>>>(task);
    });
}

void normalize_heads(Precision precision, const HeadNormTask& task, cudaStream_t stream) {
    static_assert(largest_head <= 256);
    const std::size_t rows = task.rows * task.heads;
    if (rows == 0) return;
    with_operand_type(precision,
                      [&]<class T>(T) { normalize_head_rows<T><<<row_blocks(rows), row_threads, 0, stream>>>(task); });
    ::wordbreadth::cuda::check_launch("normalize_head_rows");
}

void carry(Precision precision, const CarryTask& task, cudaStream_t stream) {
    with_row(precision, task.sizes, "carry_rows", [&](auto type, auto steps) {
        carry_rows<decltype(type), decltype(steps)::value>
            <<<row_blocks(task.sizes.rows), row_threads, 0, stream>>>(task);
    });
}

void activate(Precision precision, Activation activation, std::size_t count, void* values, cudaStream_t stream) {
    with_eights(precision, count / 8, "activate_all", [&]<class T>(T, unsigned blocks) {
        activate_all<T><<<blocks, threads, 0, stream>>>(activation, count / 8, static_cast<T*>(values));
    });
}

void activate_and_multiply(Precision precision, Activation activation, std::size_t rows, std::size_t width,
                           const void* both, void* to, cudaStream_t stream) {
    with_eights(precision, rows * (width / 8), "multiply_all", [&]<class T>(T, unsigned blocks) {
        multiply_all<T>
            <<<blocks, threads, 0, stream>>>(activation, rows, width, static_cast<const T*>(both), static_cast<T*>(to));
    });
}

void round(Precision precision, const float* from, std::size_t count, void* to, cudaStream_t stream) {
    with_eights(precision, count / 8, "round_all", [&]<class T>(T, unsigned blocks) {
        round_all<T><<<blocks, threads, 0, stream>>>(count / 8, from, static_cast<T*>(to));
    });
}

}  // namespace wordbreadth::encoder::cuda
