// Writes .safetensors files of float32 matrices, as the Python library of that name reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/output_file.h"

namespace wordbreadth::arrays {

struct MatrixShape {
    std::string name;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};

using Metadata = std::map<std::string, std::string>;

// The length and the JSON header for matrices that lie one after the other, padded so that the values start at a
// multiple of 64 bytes.
[[nodiscard]] std::string safetensors_header(std::span<const MatrixShape> matrices, const Metadata& metadata);

// "__metadata__" of a file whose header was checked before (read_safetensors_header skips it); empty when there is
// none.
[[nodiscard]] Metadata read_metadata(const std::string& path);

}  // namespace wordbreadth::arrays
