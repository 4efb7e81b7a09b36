// For the files that are compiled once for every instruction set (WORDBREADTH_ISA is its name). They include nothing
// with inline functions that the linker could share between the copies.
#pragma once

#include "encoder/cpu/kernels.h"

#define WORDBREADTH_TEXT(name) #name
#define WORDBREADTH_NAME(name) WORDBREADTH_TEXT(name)

namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA {

void normalize(const NormTask& task);
void attend(const AttentionTask& task);
void sum(const SumTask& task);
void round(const float* from, std::size_t count, std::uint16_t* to);

namespace {

constexpr std::size_t lanes = 16;
typedef float Floats __attribute__((vector_size(4 * lanes)));
typedef std::int32_t Integers __attribute__((vector_size(4 * lanes)));

inline Floats load(const float* from) {
    Floats value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

inline void store(Floats value, float* to) {
    __builtin_memcpy(to, &value, sizeof value);
}

inline std::uint16_t to_bfloat16(float value) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

}  // namespace

}  // namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA
