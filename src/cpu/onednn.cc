#include "cpu/onednn.h"

#include <cstdlib>
#include <mutex>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

// Of the OpenMP runtime that oneDNN brings. Its header belongs to a compiler, and clang-tidy does not find GCC's.
extern "C" void omp_set_num_threads(int threads);

namespace wordbreadth::cpu {
namespace {

// Some virtual machines pass on that the processor has matrix tiles (AMX), but not the table that says how large they
// are (CPUID leaf 1D). oneDNN 2.6 then configures none and dies of an illegal instruction.
bool has_undescribed_tiles() {
#if defined(__x86_64__)
    constexpr unsigned tiles = 1U << 24, tile_leaf = 0x1d;
    unsigned a = 0, b = 0, c = 0, d = 0;
    const bool has_tiles = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & tiles) != 0;
    if (!has_tiles) return false;
    const bool described = __get_cpuid_count(tile_leaf, 0, &a, &b, &c, &d) != 0 && a != 0;
    return !described;
#else
    return false;
#endif
}

// To be called before anything else of oneDNN's. A limit of the user's own has precedence.
void avoid_unusable_instructions() {
    for (const char* const name : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"})
        if (std::getenv(name) != nullptr) return;
    if (has_undescribed_tiles()) static_cast<void>(limit_instructions(usable_instructions()));
}

}  // namespace

dnnl::cpu_isa usable_instructions() {
    return has_undescribed_tiles() ? dnnl::cpu_isa::avx512_core_bf16 : dnnl::cpu_isa::all;
}

bool limit_instructions(dnnl::cpu_isa most) {
    static std::once_flag chosen;
    bool limited = false;
    std::call_once(chosen, [&] { limited = dnnl::set_max_cpu_isa(most) == dnnl::status::success; });
    return limited;
}

const dnnl::engine& engine() {
    static const dnnl::engine cpu = [] {
        avoid_unusable_instructions();
        return dnnl::engine(dnnl::engine::kind::cpu, 0);
    }();
    return cpu;
}

void run_alone() {
    thread_local const bool done = (avoid_unusable_instructions(), omp_set_num_threads(1), true);
    static_cast<void>(done);
}

}  // namespace wordbreadth::cpu
