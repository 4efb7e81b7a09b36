// A tokenizer from vocab.txt, one token a line, and what tokenizer_config.json says of it.
#pragma once

#include <memory>
#include <string>

#include "encoder/snapshot/json_file.h"
#include "encoder/tokenizer/normalizer.h"
#include "encoder/tokenizer/splitter.h"
#include "encoder/tokenizer/tokenizer.h"

namespace wordbreadth::encoder::tokenizer {

// BERT's: do_lower_case, strip_accents and tokenize_chinese_chars of `configuration` are followed.
[[nodiscard]] Tokenizer load_vocab_txt(const std::string& folder, const snapshot::JsonValue& configuration);

// What every BERT with a vocab.txt has in common: its special tokens and WordPiece, behind the two parts given.
[[nodiscard]] Tokenizer assemble_bert(const std::string& folder, const snapshot::JsonValue& configuration,
                                      std::unique_ptr<Normalizer> normalizer, std::unique_ptr<Splitter> splitter);

}  // namespace wordbreadth::encoder::tokenizer
