// A tokenizer from tokenizer.json, the file that the library `tokenizers` writes.
#pragma once

#include <string>

#include "encoder/tokenizer/json_file.h"
#include "encoder/tokenizer/tokenizer.h"

namespace wordbreadth::tokenizer {

// `configuration` is tokenizer_config.json, which must not contradict tokenizer.json. Throws InputError as
// load_tokenizer() does.
[[nodiscard]] Tokenizer load_tokenizer_json(const std::string& folder, const JsonValue& configuration);

}  // namespace wordbreadth::tokenizer
