// From an array to a cloud, and which cloud of a file is meant.
#pragma once

#include <string>

#include "arrays/array_file.h"
#include "wordbreadth/files.h"

namespace wordbreadth::geometry {

// The cloud, with its blocks, that shares the array's values. Throws InputError as the constructor of Cloud.
[[nodiscard]] Cloud cloud_of(arrays::Array array, const std::string& origin);

// The name of the one cloud meant, which only an .npy file may leave out. Throws InputError when it is missing.
[[nodiscard]] std::string cloud_name(const CloudPlace& place, const arrays::ArrayFile& file);

}  // namespace wordbreadth::geometry
