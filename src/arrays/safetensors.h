// .safetensors: named tensors after a JSON header.
#pragma once

#include <memory>

#include "arrays/array_file.h"

namespace wordbreadth::arrays {

// Opens a .safetensors file. Throws InputError when its header is malformed, disagrees with the data, or is past one of
// the limits (see limits.h). Tensors of any type and rank may be in it: what is not a cloud only cannot be read.
[[nodiscard]] std::unique_ptr<ArrayFile> open_safetensors(const std::string& path);

}  // namespace wordbreadth::arrays
