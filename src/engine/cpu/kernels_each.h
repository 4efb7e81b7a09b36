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

// Eight values at a time, where the compiler does not find the best vectors by itself.
constexpr std::size_t eight = 8;
typedef double Doubles __attribute__((vector_size(8 * eight)));
typedef float Floats __attribute__((vector_size(4 * eight)));
typedef std::int32_t Integers __attribute__((vector_size(4 * eight)));
typedef std::uint8_t Bytes __attribute__((vector_size(eight)));

template <typename To, typename From>
inline To load(const From* from) {
    To value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

inline double sum_of(Doubles values) {
    return ((values[0] + values[4]) + (values[2] + values[6])) + ((values[1] + values[5]) + (values[3] + values[7]));
}
}  // namespace

}  // namespace wordbreadth::engine::cpu::WORDBREADTH_ISA
