// The choice of an instruction set at run time.
#include "engine/cpu/kernels.h"

#include <algorithm>

#include "cpu/kernel_tables.h"

namespace wordbreadth::engine::cpu {

WORDBREADTH_KERNEL_TABLES(Kernels, usable_kernels);

std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
    for (const Kernels* table : usable_kernels()) names.emplace_back(table->name);
    return names;
}

const Kernels& kernels(const std::string& instruction_set) {
    const std::vector<const Kernels*> tables = usable_kernels();
    const auto found =
        std::ranges::find_if(tables, [&](const Kernels* table) { return instruction_set == table->name; });
    return found == tables.end() ? *tables.back() : **found;
}

}  // namespace wordbreadth::engine::cpu
