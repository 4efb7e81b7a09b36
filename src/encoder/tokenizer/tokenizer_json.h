// A tokenizer from tokenizer.json, the file that the library `tokenizers` writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "encoder/snapshot/json_file.h"
#include "encoder/tokenizer/added_tokens.h"
#include "encoder/tokenizer/tokenizer.h"
#include "encoder/tokenizer/vocabulary.h"

namespace wordbreadth::encoder::tokenizer {

// `configuration` is tokenizer_config.json, which must not contradict tokenizer.json. Throws InputError as
// load_tokenizer() does.
[[nodiscard]] Tokenizer load_tokenizer_json(const std::string& folder, const snapshot::JsonValue& configuration);

// "added_tokens_decoder" of tokenizer_config.json: an object by id. Tokens that the vocabulary lacks are put into it.
// Throws InputError when an id is not that of the vocabulary, or not the next free one as the library `tokenizers`
// would choose it: it then chooses others than the file says, and no model was trained with those.
[[nodiscard]] std::vector<AddedToken> read_added_tokens_decoder(const std::optional<snapshot::JsonValue>& json,
                                                                Vocabulary& vocabulary);

}  // namespace wordbreadth::encoder::tokenizer
