#include "arrays/matrix_writer.h"

namespace wordbreadth::arrays {

void write_safetensors(base::OutputFile& file, std::span<const MatrixShape> matrices, const Metadata& metadata,
                       const MatrixValues& values) {
    const std::string header = safetensors_header(matrices, metadata);
    file.write(std::as_bytes(std::span(header)));
    for (std::size_t i = 0; i < matrices.size(); ++i) file.write(std::as_bytes(values(i)));
}

}  // namespace wordbreadth::arrays
