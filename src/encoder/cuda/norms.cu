// Embeddings, and the sums and norms between the products. A warp per row: each value is read once and written once,
// and the memory's speed is the bound.
#include <cstddef>

#include "cuda/runtime.h"
#include "cuda/warp.cuh"
#include "encoder/cuda/kernels.h"
#include "encoder/cuda/layout.h"
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

// Calls `work` with the smallest Constant<steps> that holds rows of this many values, 4096 at most.
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
    row.normalize(task.norm);
    row.store(static_cast<T*>(task.operands) + index * task.sizes.row);
    if (task.residual != nullptr) row.store(task.residual + index * task.sizes.row);
}

template <class T, int steps>
__global__ void __launch_bounds__(row_threads) add_rows(AddTask task) {
    const std::size_t index = row_of_warp();
    if (index >= task.sizes.rows) return;
    const std::size_t at = index * task.sizes.row;
    T* operands = static_cast<T*>(task.operands) + at;
    Row<steps> row(task.sizes);
    row.add(static_cast<const T*>(task.delta) + at);
    if (task.residual != nullptr) {
        row.add(task.residual + at);
        if (task.vectors.values == nullptr) row.store(task.residual + at);
    } else {
        row.add(operands);
    }
    if (task.norm.weight != nullptr) row.normalize(task.norm);
    if (task.vectors.values != nullptr) return row.hand_out(task.vectors, index);
    row.store(operands);
}

template <class T, int steps>
__global__ void __launch_bounds__(row_threads) collect_rows(CollectTask task) {
    const std::size_t index = row_of_warp();
    if (index >= task.sizes.rows) return;
    const std::size_t at = static_cast<std::size_t>(task.kept[index]) * task.sizes.row;
    Row<steps> row(task.sizes);
    if (task.residual != nullptr) {
        row.add(task.residual + at);
    } else {
        row.add(static_cast<const T*>(task.operands) + at);
    }
    row.hand_out(task.vectors, index);
}

template <class T, int steps>
__global__ void __launch_bounds__(row_threads) copy_rows(TakeTask task) {
    const std::size_t index = row_of_warp();
    if (index >= task.sizes.rows) return;
    const std::size_t from = static_cast<std::size_t>(task.kept[index]) * task.sizes.row;
    const std::size_t to = index * task.sizes.row;
    Row<steps> row(task.sizes);
    row.add(static_cast<const T*>(task.from_operands) + from);
    row.store(static_cast<T*>(task.to_operands) + to);
    if (task.from_residual == nullptr) return;
    Row<steps> residual(task.sizes);
    residual.add(task.from_residual + from);
    residual.store(task.to_residual + to);
}

// Launches a kernel for this type and this width. `launch` is given the type and the steps.
template <class Launch>
void with_row(Precision precision, const RowSizes& sizes, const char* name, const Launch& launch) {
    if (sizes.rows == 0) return;
    with_operand_type(precision, [&](auto type) { with_steps(sizes.row, [&](auto steps) { launch(type, steps); }); });
    ::wordbreadth::cuda::check_launch(name);
}

}  // namespace

void embed(Precision precision, const EmbedTask& task, cudaStream_t stream) {
    with_row(precision, task.sizes, "embed_rows", [&](auto type, auto constant) {
        embed_rows<decltype(type), decltype(constant)::steps>
            <<<row_blocks(task.sizes.rows), row_threads, 0, stream>>>(task);
    });
}

void add_and_normalize(Precision precision, const AddTask& task, cudaStream_t stream) {
    with_row(precision, task.sizes, "add_rows", [&](auto type, auto constant) {
        add_rows<decltype(type), decltype(constant)::steps>
            <<<row_blocks(task.sizes.rows), row_threads, 0, stream>>>(task);
    });
}

void collect(Precision precision, const CollectTask& task, cudaStream_t stream) {
    with_row(precision, task.sizes, "collect_rows", [&](auto type, auto constant) {
        collect_rows<decltype(type), decltype(constant)::steps>
            <<<row_blocks(task.sizes.rows), row_threads, 0, stream>>>(task);
    });
}

void take_rows(Precision precision, const TakeTask& task, cudaStream_t stream) {
    with_row(precision, task.sizes, "copy_rows", [&](auto type, auto constant) {
        copy_rows<decltype(type), decltype(constant)::steps>
            <<<row_blocks(task.sizes.rows), row_threads, 0, stream>>>(task);
    });
}

}  // namespace wordbreadth::encoder::cuda
