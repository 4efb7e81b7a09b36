// Lists of added tokens, in tokenizer.json and in tokenizer_config.json.
#pragma once

#include <optional>
#include <vector>

#include "encoder/snapshot/json_file.h"
#include "encoder/tokenizer/added_tokens.h"
#include "encoder/tokenizer/vocabulary.h"

namespace wordbreadth::encoder::tokenizer {

// "added_tokens" of tokenizer.json: a list. Tokens that the vocabulary lacks are put into it. Throws InputError when
// an id is not that of the vocabulary, or not the next free one as the library `tokenizers` would choose it: it then
// chooses others than the file says, and no model was trained with those.
[[nodiscard]] std::vector<AddedToken> read_added_tokens(const std::optional<snapshot::JsonValue>& json,
                                                        Vocabulary& vocabulary);

// "added_tokens_decoder" of tokenizer_config.json: an object by id. As above.
[[nodiscard]] std::vector<AddedToken> read_added_tokens_decoder(const std::optional<snapshot::JsonValue>& json,
                                                                Vocabulary& vocabulary);

}  // namespace wordbreadth::encoder::tokenizer
