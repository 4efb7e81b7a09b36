// A tokenizer from tokenizer.json, the file that the library `tokenizers` writes.
#pragma once

#include <string>

#include "encoder/snapshot/json_file.h"
#include "encoder/tokenizer/tokenizer.h"

namespace wordbreadth::encoder::tokenizer {

// `configuration` is tokenizer_config.json, which must not contradict tokenizer.json. Throws InputError as
// load_tokenizer() does.
[[nodiscard]] Tokenizer load_tokenizer_json(const std::string& folder, const snapshot::JsonValue& configuration);

}  // namespace wordbreadth::encoder::tokenizer
