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

std::size_t attention_space(std::size_t keys, std::size_t head_size, std::size_t stride) {
    constexpr std::size_t lanes = 16;
    const std::size_t padded_size = (head_size + lanes - 1) / lanes * lanes;
    return 3 * lanes * padded_size + keys * (2 * lanes + head_size) + (keys + lanes) * stride;
}

}  // namespace wordbreadth::encoder::cpu
