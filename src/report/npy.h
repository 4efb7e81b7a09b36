// Writing a list of doubles as NumPy's .npy.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/output_file.h"

namespace wordbreadth::report {

// The header of a one-dimensional float64 array, version 1.0, padded to a multiple of 64 bytes.
[[nodiscard]] std::string npy_header(std::size_t length);

// Throws as OutputFile::write does.
void write_npy(base::OutputFile& file, std::span<const double> values);

}  // namespace wordbreadth::report
