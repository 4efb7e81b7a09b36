// The choice of an instruction set at run time.
#include "engine/cpu/kernels.h"

#include <algorithm>

#include "cpu/features.h"

namespace wordbreadth::engine::cpu {

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
    if (wordbreadth::cpu::has_avx2()) tables.push_back(&avx2::table);
    if (wordbreadth::cpu::has_avx512()) tables.push_back(&avx512::table);
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

}  // namespace wordbreadth::engine::cpu
