// .npz: a zip archive of .npy arrays, as numpy.savez and numpy.savez_compressed write it.
#pragma once

#include <memory>

#include "arrays/array_file.h"

namespace wordbreadth::arrays {

// Opens an .npz file; the member "bank.npy" is the array "bank".
// Throws InputError when the archive is malformed, holds anything but .npy members, or is past one of the limits on
// archives (see limits.h).
[[nodiscard]] std::unique_ptr<ArrayFile> open_npz(const std::string& path);

}  // namespace wordbreadth::arrays
