// What this processor can do, of the instruction sets that inner loops are compiled for.
#pragma once

namespace wordbreadth {

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

#endif

}  // namespace wordbreadth
