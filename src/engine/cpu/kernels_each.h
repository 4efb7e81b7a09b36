// For the files that are compiled once for every instruction set (WORDBREADTH_ISA is its name). They call no
// inline functions of other headers, which the linker could share between the copies, and are written so that the
// compiler makes vector code of them.
#pragma once

#include "engine/cpu/kernels.h"

#define WORDBREADTH_TEXT(name) #name
#define WORDBREADTH_NAME(name) WORDBREADTH_TEXT(name)

namespace wordbreadth::engine::cpu::WORDBREADTH_ISA {

extern const Kernels table;

void low_rank(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
              double* A, double* Q, double* V1_low, double* V1_high, double* V2_low, double* V2_high, double* shared);
void block_low_rank(const BlockLayout& layout, const std::int32_t* products, std::size_t count, const double* low,
                    const double* high, std::uint8_t* verdicts);
void multiply_matrices(const FloatProduct& shape, const float* a, std::size_t stride_a, const float* b,
                       std::size_t stride_b, float* c, std::size_t stride_c);
void decide(const Shape& shape, const Estimates& estimates, std::size_t count, std::uint8_t* verdicts);

namespace {
inline double larger(double a, double b) {
    return a > b ? a : b;
}
inline double magnitude(double a) {
    return a < 0 ? -a : a;
}
inline double smaller(double a, double b) {
    return a < b ? a : b;
}

// The value of three limbs.
inline double limbs(const std::int32_t* from, double unit) {
    return unit * (from[0] * 65536.0 + from[1] * 256.0 + from[2]);
}

// As many values as a register holds, where the compiler does not find the best vectors by itself. With eight values
// everywhere, two registers of AVX2, it kept all sums in memory there: the moments of 200 rows took three times as
// long.
#if defined(__AVX512F__)
constexpr std::size_t lanes = 8;
#elif defined(__AVX2__)
constexpr std::size_t lanes = 4;
#else
constexpr std::size_t lanes = 2;
#endif
typedef double Doubles __attribute__((vector_size(8 * lanes)));
typedef float Floats __attribute__((vector_size(4 * lanes)));
typedef std::int32_t Integers __attribute__((vector_size(4 * lanes)));

template <typename To, typename From>
inline To load(const From* from) {
    To value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

inline double sum_of(Doubles values) {
#if defined(__AVX512F__)
    return ((values[0] + values[4]) + (values[2] + values[6])) + ((values[1] + values[5]) + (values[3] + values[7]));
#elif defined(__AVX2__)
    return (values[0] + values[2]) + (values[1] + values[3]);
#else
    return values[0] + values[1];
#endif
}
}  // namespace

}  // namespace wordbreadth::engine::cpu::WORDBREADTH_ISA
