// The JSON of a .safetensors header, event by event: no document is built, so a header costs no more than what it
// holds.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "arrays/safetensors_header.h"

namespace wordbreadth::arrays {

// The tensors as they are written. Names are unique and every tensor has its three keys; nothing else is checked yet.
// "__metadata__" is skipped. Throws InputError when the text is not JSON, has other things in it than tensors, repeats
// a key, or is past limits::json_depth, array_rank, archive_entries or name_bytes.
[[nodiscard]] Tensors parse_safetensors_json(const std::string& path, std::string_view json);

}  // namespace wordbreadth::arrays
