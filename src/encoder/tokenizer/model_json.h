// The model of a tokenizer.json: WordPiece or byte-level BPE.
#pragma once

#include <cstdint>
#include <memory>

#include "encoder/snapshot/json_file.h"
#include "encoder/tokenizer/model.h"
#include "encoder/tokenizer/vocabulary.h"

namespace wordbreadth::encoder::tokenizer {

enum class ModelKind : std::uint8_t { word_piece, byte_pair };

struct ModelFromJson {
    ModelKind kind = ModelKind::word_piece;
    std::unique_ptr<Model> model;
};

// Puts the tokens into `vocabulary`. Throws InputError when the model is of another kind, uses something that is not
// known here, or is not whole.
[[nodiscard]] ModelFromJson read_model(const snapshot::JsonValue& json, Vocabulary& vocabulary);

}  // namespace wordbreadth::encoder::tokenizer
