// What this processor can do, of the instruction sets that inner loops are compiled for.
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace wordbreadth::cpu {

#if defined(__x86_64__)

[[nodiscard]] inline bool has_avx2() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

[[nodiscard]] inline bool has_avx512() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
}

// Some virtual machines pass on that the processor has matrix tiles (AMX), but not the table that says how large they
// are (CPUID leaf 1D). oneDNN 2.6 then configures none and dies of an illegal instruction.
[[nodiscard]] inline bool has_undescribed_tiles() {
    constexpr unsigned tiles = 1U << 24, tile_leaf = 0x1d;
    unsigned a = 0, b = 0, c = 0, d = 0;
    const bool has_tiles = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & tiles) != 0;
    if (!has_tiles) return false;
    const bool described = __get_cpuid_count(tile_leaf, 0, &a, &b, &c, &d) != 0 && a != 0;
    return !described;
}

#else

[[nodiscard]] inline bool has_undescribed_tiles() {
    return false;
}

#endif

}  // namespace wordbreadth::cpu
