// numpy's formats. .npy: one array, as numpy.save writes it: magic, version, a Python dict of type, order and shape,
// then the values. .npz: a zip archive of .npy arrays, as numpy.savez and numpy.savez_compressed write it.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "arrays/array_file.h"
#include "base/output_file.h"

namespace wordbreadth::arrays {

// Opens an .npy file of version 1.0, 2.0 or 3.0. Its one array has the name of the file, without folder and ending.
// Throws InputError when the file is malformed.
[[nodiscard]] std::unique_ptr<ArrayFile> open_npy(const std::string& path);

// Reads the .npy array, header and values, that `source` starts with and that must fill its `size` bytes exactly.
// The caller has made sure that `size` bytes are really there. Throws InputError when the array is malformed: also when
// it is past limits::npy_header_bytes or limits::array_rank, or its type is not little-endian float16, float32 or
// float64.
[[nodiscard]] Array read_npy(base::Bytes& source, std::string name, std::uint64_t size);

// The shape that the array announces which `source` starts with. Throws InputError when its header is malformed.
[[nodiscard]] Shape read_npy_shape(base::Bytes& source);

// The header that numpy writes before values of `type` ("<f8") in C order: version 1.0, padded to a multiple of 64
// bytes.
[[nodiscard]] std::string npy_header(std::string_view type, const Shape& shape);

// Opens an .npz file. Throws InputError when it is malformed.
[[nodiscard]] std::unique_ptr<ArrayFile> open_npz(const std::string& path);

// Writes float32 matrices as numpy.savez does: uncompressed, each as NAME.npy, dated 1980, so that the same matrices
// give the same bytes. Throws what `values` throws, and InputError when the disk is full; keeping the file is left to
// the caller.
void write_npz(const base::OutputFile& file, std::span<const MatrixShape> matrices, const MatrixValues& values);

}  // namespace wordbreadth::arrays
