// The choice of an instruction set at run time.
#include "encoder/cpu/kernels.h"

#include "base/strings.h"
#include "cpu/kernel_tables.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder::cpu {

WORDBREADTH_KERNEL_TABLES(Kernels, usable_kernels);

const Kernels& kernels_for(const std::string& instruction_set) {
    const std::vector<const Kernels*> tables = usable_kernels();
    if (instruction_set.empty()) return *tables.back();
    for (const Kernels* table : tables)
        if (instruction_set == table->name) return *table;
    throw InputError("instruction set '" + instruction_set + "' cannot be used by device cpu here; expected one of: " +
                     base::joined(tables, ", ", &Kernels::name));
}

std::size_t attention_space(std::size_t keys, std::size_t head_size, bool has_relative_terms) {
    constexpr std::size_t lanes = 16;  // or fewer
    const std::size_t padded_size = (head_size + lanes - 1) / lanes * lanes;
    const std::size_t tables = has_relative_terms ? (1 + 2 * head_size) * 2 * (keys + lanes) : 0;
    return 3 * lanes * padded_size + keys * (2 * lanes + head_size) + tables;
}

}  // namespace wordbreadth::encoder::cpu
