// A tokenizer from the folder of a model.
#pragma once

#include <string>

#include "encoder/tokenizer/tokenizer.h"

namespace wordbreadth::encoder::tokenizer {

struct LoadOptions {
    std::string mecab_dictionary;  // a folder; only for models that split words with MeCab, which need it
};

// Reads tokenizer.json, or vocab.txt and tokenizer_config.json where there is none (and for MeCab). Throws InputError
// when the folder has neither, when a file is malformed or past its limits (limits.h), when the files contradict each
// other, or when the tokenizer has a component that is not known here, which is named.
[[nodiscard]] Tokenizer load_tokenizer(const std::string& folder, const LoadOptions& options = {});

}  // namespace wordbreadth::encoder::tokenizer
