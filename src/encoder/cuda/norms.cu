// Embeddings, and the sums and norms between the products. A warp a row: each value is read once and written once, and
// the memory's speed is the bound.
#include "encoder/cuda/row.cuh"

namespace wordbreadth::encoder::cuda {
namespace {

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
