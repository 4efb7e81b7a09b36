// Writes float32 matrices as files that numpy and the Python library safetensors read. The same matrices give the same
// bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "arrays/safetensors_writer.h"
#include "base/output_file.h"

namespace wordbreadth::arrays {

// The values of a matrix, by its number; asked for once each, in order. They must stay until the next is asked for.
using MatrixValues = std::function<std::span<const float>(std::size_t matrix)>;

// Both throw what `values` throws, and as OutputFile does; keeping the file is left to the caller.

// The names must be all different.
void write_safetensors(base::OutputFile& file, std::span<const MatrixShape> matrices, const Metadata& metadata,
                       const MatrixValues& values);

// As numpy.savez writes it: uncompressed, each matrix as NAME.npy; the dates are those of 1980.
void write_npz(base::OutputFile& file, std::span<const MatrixShape> matrices, const MatrixValues& values);

}  // namespace wordbreadth::arrays
