// Activations that cuBLASLt does not have, and gates. Eight values a thread; the memory's speed is the bound.
#include "cuda/runtime.h"
#include "encoder/cuda/kernels.h"
#include "encoder/cuda/operand.cuh"

namespace wordbreadth::encoder::cuda {
namespace {

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

unsigned blocks_for(std::size_t eights) {
    return static_cast<unsigned>((eights + threads - 1) / threads);
}

}  // namespace

void activate(Precision precision, Activation activation, std::size_t count, void* values, cudaStream_t stream) {
    const std::size_t eights = count / 8;
    if (eights == 0) return;
    with_operand_type(precision, [&]<class T>(T) {
        activate_all<T><<<blocks_for(eights), threads, 0, stream>>>(activation, eights, static_cast<T*>(values));
    });
    ::wordbreadth::cuda::check_launch("activate_all");
}

void activate_and_multiply(Precision precision, Activation activation, std::size_t rows, std::size_t width,
                           const void* both, void* to, cudaStream_t stream) {
    const std::size_t eights = rows * (width / 8);
    if (eights == 0) return;
    with_operand_type(precision, [&]<class T>(T) {
        multiply_all<T><<<blocks_for(eights), threads, 0, stream>>>(activation, rows, width,
                                                                    static_cast<const T*>(both), static_cast<T*>(to));
    });
    ::wordbreadth::cuda::check_launch("multiply_all");
}

void round(Precision precision, const float* from, std::size_t count, void* to, cudaStream_t stream) {
    const std::size_t eights = count / 8;
    if (eights == 0) return;
    with_operand_type(precision, [&]<class T>(T) {
        round_all<T><<<blocks_for(eights), threads, 0, stream>>>(eights, from, static_cast<T*>(to));
    });
    ::wordbreadth::cuda::check_launch("round_all");
}

}  // namespace wordbreadth::encoder::cuda
