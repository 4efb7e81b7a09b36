// The smaller components of a tokenizer.json. Each throws InputError, naming it, at a component that is not known here.
#pragma once

#include <memory>
#include <optional>

#include "encoder/snapshot/json_file.h"
#include "encoder/tokenizer/model_json.h"
#include "encoder/tokenizer/normalizer.h"
#include "encoder/tokenizer/parts.h"
#include "encoder/tokenizer/splitter.h"

namespace wordbreadth::encoder::tokenizer {

// Null when there is none.
[[nodiscard]] std::unique_ptr<Normalizer> read_normalizer(const std::optional<snapshot::JsonValue>& json);

// The one that goes with the model: BertPreTokenizer with WordPiece, ByteLevel with BPE. `root` is the whole file.
[[nodiscard]] std::unique_ptr<Splitter> read_splitter(const snapshot::JsonValue& root, ModelKind kind);

// The special tokens around a single text, which must be in the vocabulary.
[[nodiscard]] Frame read_frame(const std::optional<snapshot::JsonValue>& json, const Vocabulary& vocabulary);

// Throws InputError: the component is of a type that is not known here.
[[noreturn]] void fail_unknown_type(const snapshot::JsonValue& json, const std::string& known);

}  // namespace wordbreadth::encoder::tokenizer
