// What a tokenizer is put together from.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "encoder/tokenizer/added_tokens.h"
#include "encoder/tokenizer/model.h"
#include "encoder/tokenizer/normalizer.h"
#include "encoder/tokenizer/splitter.h"
#include "encoder/tokenizer/tokenizer.h"
#include "encoder/tokenizer/vocabulary.h"

namespace wordbreadth::encoder::tokenizer {

// The special tokens around the tokens of a text.
struct Frame {
    std::vector<std::int32_t> before;
    std::vector<std::int32_t> after;

    [[nodiscard]] std::size_t size() const { return before.size() + after.size(); }
};

// Text goes through them from top to bottom.
struct Tokenizer::Parts {
    AddedTokens added_raw = {};              // looked for in the text as it is
    std::unique_ptr<Normalizer> normalizer;  // may be null
    AddedTokens added_normalized = {};       // looked for in the normalized text
    std::unique_ptr<Splitter> splitter;
    std::unique_ptr<Model> model;
    Frame frame;
    Vocabulary vocabulary;  // with the added tokens
};

// Adds both kinds of added tokens to the other parts. Throws InputError, naming `where`, as AddedTokens does.
[[nodiscard]] Tokenizer assembled(const std::string& where, const std::vector<AddedToken>& added,
                                  Tokenizer::Parts parts);

}  // namespace wordbreadth::encoder::tokenizer
