// The header of a .safetensors file: a JSON object of tensors, each with a type, a shape and a place among the data.
// https://github.com/huggingface/safetensors#format
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "arrays/shape.h"
#include "base/file.h"

namespace wordbreadth::arrays {

struct Tensor {
    std::string type;  // "F32"
    Shape shape;
    std::uint64_t begin = 0;  // among the data, in bytes
    std::uint64_t end = 0;
};

using Tensors = std::map<std::string, Tensor>;

// Parses the JSON and reconciles all that it says: every shape with its type and its place, and the places with each
// other and with the `data_bytes` that follow the header, which they must fill without overlap and without holes.
// Throws InputError, naming `path` and the tensor, when anything does not agree or is past a limit.
[[nodiscard]] Tensors parse_safetensors_header(const std::string& path, std::string_view json,
                                               std::uint64_t data_bytes);

struct SafetensorsHeader {
    Tensors tensors;
    std::uint64_t data_begin = 0;  // where in the file the data start
};

// The header at the start of the file, checked as above. Throws InputError also when it is longer than
// limits::safetensors_header_bytes or than the file.
[[nodiscard]] SafetensorsHeader read_safetensors_header(base::File& file);

}  // namespace wordbreadth::arrays
