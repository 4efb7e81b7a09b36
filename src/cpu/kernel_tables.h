// Kernels that are compiled once for every instruction set: a table of functions for each, and the choice among them.
//
// wordbreadth_kernels() in this folder's CMakeLists.txt compiles the files. They define `table` in a namespace that has
// the name of the instruction set, WORDBREADTH_ISA.
#pragma once

#include <vector>

#if defined(__x86_64__)
namespace wordbreadth::cpu {

[[nodiscard]] inline bool has_avx2() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

[[nodiscard]] inline bool has_avx512() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
}

}  // namespace wordbreadth::cpu

#define WORDBREADTH_ADD_VECTOR_TABLES(tables)                             \
    if (::wordbreadth::cpu::has_avx2()) (tables).push_back(&avx2::table); \
    if (::wordbreadth::cpu::has_avx512()) (tables).push_back(&avx512::table)
#else
#define WORDBREADTH_ADD_VECTOR_TABLES(tables)
#endif

// Declares the tables, of type `Table`, in the namespace where it stands, and defines `name()`: a vector of pointers to
// those that this processor can run, slowest first.
#define WORDBREADTH_KERNEL_TABLES(Table, name)             \
    namespace generic {                                    \
    extern const Table table;                              \
    }                                                      \
    namespace avx2 {                                       \
    extern const Table table;                              \
    }                                                      \
    namespace avx512 {                                     \
    extern const Table table;                              \
    }                                                      \
    std::vector<const Table*> name() {                     \
        std::vector<const Table*> tables{&generic::table}; \
        WORDBREADTH_ADD_VECTOR_TABLES(tables);             \
        return tables;                                     \
    }                                                      \
    static_assert(true)
