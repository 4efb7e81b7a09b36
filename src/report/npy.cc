#include "report/npy.h"

#include <bit>

#include "arrays/npy.h"

namespace wordbreadth::report {

// '<f8' below, and the bytes of the values as they lie in memory.
static_assert(std::endian::native == std::endian::little);

void write_npy(base::OutputFile& file, std::span<const double> values) {
    const std::string header = arrays::npy_header("<f8", {values.size()});
    file.write(std::as_bytes(std::span(header)));
    file.write(std::as_bytes(values));
}

}  // namespace wordbreadth::report
