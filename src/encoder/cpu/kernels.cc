// The choice of an instruction set at run time.
#include "encoder/cpu/kernels.h"

#include <cmath>

#include "cpu/features.h"

namespace wordbreadth::encoder::cpu {

namespace generic {
extern const Kernels table;
}
namespace avx2 {
extern const Kernels table;
}
namespace avx512 {
extern const Kernels table;
}

std::vector<const Kernels*> usable_kernels() {
    std::vector<const Kernels*> tables{&generic::table};
#if defined(__x86_64__)
    if (::wordbreadth::cpu::has_avx2()) tables.push_back(&avx2::table);
    if (::wordbreadth::cpu::has_avx512()) tables.push_back(&avx512::table);
#endif
    return tables;
}

float score_scale(std::size_t head_size) {
    return 1 / std::sqrt(static_cast<float>(head_size));
}

std::size_t attention_space(std::size_t keys, std::size_t head_size) {
    constexpr std::size_t lanes = 16;
    const std::size_t padded_size = (head_size + lanes - 1) / lanes * lanes;
    return 3 * lanes * padded_size + keys * (2 * lanes + head_size);
}

}  // namespace wordbreadth::encoder::cpu
