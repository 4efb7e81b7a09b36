// The header of a .safetensors file: a JSON object of tensors, each with a type, a shape and a place among the data.
// https://github.com/huggingface/safetensors#format
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "store/shape.h"

namespace wordbreadth::store {

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

}  // namespace wordbreadth::store
