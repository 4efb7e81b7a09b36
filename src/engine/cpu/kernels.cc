// The choice of an instruction set at run time.
#include "engine/cpu/kernels.h"

#include <algorithm>

namespace wordbreadth::cpu {

namespace generic {
extern const Kernels table;
}
namespace avx2 {
extern const Kernels table;
}
namespace avx512 {
extern const Kernels table;
}

namespace {

// Slowest first.
std::vector<const Kernels*> usable() {
    std::vector<const Kernels*> tables{&generic::table};
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) tables.push_back(&avx2::table);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
        tables.push_back(&avx512::table);
#endif
    return tables;
}

}  // namespace

std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
    for (const Kernels* table : usable()) names.emplace_back(table->name);
    return names;
}

const Kernels& kernels(const std::string& instruction_set) {
    const std::vector<const Kernels*> tables = usable();
    const auto found =
        std::ranges::find_if(tables, [&](const Kernels* table) { return instruction_set == table->name; });
    return found == tables.end() ? *tables.back() : **found;
}

}  // namespace wordbreadth::cpu
