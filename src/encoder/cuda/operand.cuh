// Numbers in the type of the products, eight or two at a time.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "encoder/encoder.h"

namespace wordbreadth::encoder::cuda {

template <class T>
struct PairOf;
template <>
struct PairOf<__half> {
    using Type = __half2;
    static __device__ Type of(float a, float b) { return __floats2half2_rn(a, b); }
    static __device__ float2 floats(Type pair) { return __half22float2(pair); }
};
template <>
struct PairOf<__nv_bfloat16> {
    using Type = __nv_bfloat162;
    static __device__ Type of(float a, float b) { return __floats2bfloat162_rn(a, b); }
    static __device__ float2 floats(Type pair) { return __bfloat1622float2(pair); }
};

// Two numbers in one 32-bit word.
template <class T>
__device__ inline std::uint32_t word_of(float a, float b) {
    const typename PairOf<T>::Type pair = PairOf<T>::of(a, b);
    std::uint32_t word;
    memcpy(&word, &pair, sizeof word);
    return word;
}

template <class T>
__device__ inline float2 floats_of_word(std::uint32_t word) {
    typename PairOf<T>::Type pair;
    memcpy(&pair, &word, sizeof word);
    return PairOf<T>::floats(pair);
}

template <class T>
__device__ inline void load_eight(const T* from, float (&to)[8]) {
    const uint4 words = *reinterpret_cast<const uint4*>(from);
    const std::uint32_t word[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float2 pair = floats_of_word<T>(word[i]);
        to[2 * i] = pair.x;
        to[2 * i + 1] = pair.y;
    }
}

template <>
__device__ inline void load_eight(const float* from, float (&to)[8]) {
    const float4 a = *reinterpret_cast<const float4*>(from);
    const float4 b = *reinterpret_cast<const float4*>(from + 4);
    to[0] = a.x, to[1] = a.y, to[2] = a.z, to[3] = a.w;
    to[4] = b.x, to[5] = b.y, to[6] = b.z, to[7] = b.w;
}

template <class T>
__device__ inline void store_eight(const float (&from)[8], T* to) {
    const uint4 words = {word_of<T>(from[0], from[1]), word_of<T>(from[2], from[3]), word_of<T>(from[4], from[5]),
                         word_of<T>(from[6], from[7])};
    *reinterpret_cast<uint4*>(to) = words;
}

template <>
__device__ inline void store_eight(const float (&from)[8], float* to) {
    *reinterpret_cast<float4*>(to) = {from[0], from[1], from[2], from[3]};
    *reinterpret_cast<float4*>(to + 4) = {from[4], from[5], from[6], from[7]};
}

// Calls `work` with a value of the type that products of this precision take.
template <class Work>
void with_operand_type(Precision precision, const Work& work) {
    if (precision == Precision::f16) return work(__half{});
    if (precision == Precision::bf16) return work(__nv_bfloat16{});
    work(float{});
}

}  // namespace wordbreadth::encoder::cuda
