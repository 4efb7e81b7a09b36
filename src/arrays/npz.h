// .npz: a zip archive of .npy arrays, as numpy.savez and numpy.savez_compressed write it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "arrays/array_file.h"
#include "arrays/matrix.h"
#include "base/output_file.h"

namespace wordbreadth::arrays {

// Opens an .npz file. Throws InputError when it is malformed.
[[nodiscard]] std::unique_ptr<ArrayFile> open_npz(const std::string& path);

// Writes float32 matrices as numpy.savez does: uncompressed, each as NAME.npy, dated 1980, so that the same matrices
// give the same bytes. Throws what `values` throws, and InputError when the disk is full; keeping the file is left to
// the caller.
void write_npz(const base::OutputFile& file, std::span<const MatrixShape> matrices, const MatrixValues& values);

}  // namespace wordbreadth::arrays
