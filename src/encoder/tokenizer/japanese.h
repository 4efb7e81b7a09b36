// The tokenizer of Japanese BERTs: MeCab finds the words, WordPiece cuts them.
#pragma once

#include <string>

#include "encoder/snapshot/json_file.h"
#include "encoder/tokenizer/tokenizer.h"

namespace wordbreadth::encoder::tokenizer {

// Does tokenizer_config.json ask for it? Throws InputError when it asks for another program to find words.
[[nodiscard]] bool splits_with_mecab(const snapshot::JsonValue& configuration);

// The tokens are those of BertJapaneseTokenizer of Python's transformers, which has no offsets; NFKC is ICU's.
[[nodiscard]] Tokenizer load_japanese(const std::string& folder, const snapshot::JsonValue& configuration,
                                      const std::string& mecab_dictionary);

}  // namespace wordbreadth::encoder::tokenizer
