// .safetensors: a JSON object of tensors, each with a type, a shape and a place among the data that follow.
// https://github.com/huggingface/safetensors#format
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "arrays/array_file.h"
#include "base/file.h"
#include "base/output_file.h"

namespace wordbreadth::arrays {

// Opens a .safetensors file. Throws InputError when it is malformed.
[[nodiscard]] std::unique_ptr<ArrayFile> open_safetensors(const std::string& path);

struct Tensor {
    std::string type;  // "F32"
    Shape shape;
    std::uint64_t begin = 0;  // among the data, in bytes
    std::uint64_t end = 0;
};

using Tensors = std::map<std::string, Tensor>;

using Metadata = std::map<std::string, std::string>;

struct SafetensorsHeader {
    Tensors tensors;
    Metadata metadata;             // the texts of "__metadata__"; whatever else it holds is skipped
    std::uint64_t data_begin = 0;  // where in the file the data start
};

// The tensors of a header as they are written, event by event: no document is built, so a header costs no more than
// what it holds. Names are unique and every tensor has its three keys; nothing else is checked yet. Throws InputError
// when the text is not JSON, has other things in it than tensors, repeats a key, or is past limits::json_depth,
// array_rank, archive_entries or name_bytes.
[[nodiscard]] SafetensorsHeader parse_safetensors_json(const std::string& path, std::string_view json);

// Parses the JSON and reconciles all that it says: every shape with its type and its place, and the places with each
// other and with the `data_bytes` that follow the header, which they must fill without overlap and without holes.
// Throws InputError, naming `path` and the tensor, when anything does not agree or is past a limit.
[[nodiscard]] SafetensorsHeader parse_safetensors_header(const std::string& path, std::string_view json,
                                                         std::uint64_t data_bytes);

// The header at the start of the file, checked as above. Throws InputError also when it is longer than
// limits::safetensors_header_bytes or than the file.
[[nodiscard]] SafetensorsHeader read_safetensors_header(base::File& file);

// The length and the JSON header for float32 matrices that lie one after the other, padded so that the values start at
// a multiple of 64 bytes. The names must be all different. Throws InputError for "__metadata__", which would be there
// twice.
[[nodiscard]] std::string safetensors_header(std::span<const MatrixShape> matrices, const Metadata& metadata);

// Writes header and values. Throws what `values` throws, and as OutputFile does; keeping the file is left to the
// caller.
void write_safetensors(base::OutputFile& file, std::span<const MatrixShape> matrices, const Metadata& metadata,
                       const MatrixValues& values);

}  // namespace wordbreadth::arrays
