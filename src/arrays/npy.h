// .npy: one array, as numpy.save writes it.
#pragma once

#include <cstdint>
#include <memory>

#include "arrays/array_file.h"
#include "base/bytes.h"

namespace wordbreadth::arrays {

// Opens an .npy file. Its one array is called as the file is, without folder and ending.
// Throws InputError when the file is malformed.
[[nodiscard]] std::unique_ptr<ArrayFile> open_npy(const std::string& path);

// Reads the .npy array, header and values, that `source` starts with and that must fill its `size` bytes exactly.
// The caller has made sure that `size` bytes are really there. Throws InputError when the array is malformed.
[[nodiscard]] Array read_npy(base::Bytes& source, std::string name, std::uint64_t size);

}  // namespace wordbreadth::arrays
