// What the readers of a model's files share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "encoder/snapshot/json_file.h"
#include "encoder/tokenizer/parts.h"

namespace wordbreadth::encoder::tokenizer {

using snapshot::JsonValue;

// Tokens that the vocabulary lacks are put into it, with ids as the library gives them: one after the other from
// `next`, the model's number of tokens, on. It does so whatever the file says, and no model was trained with other ids
// than the file's: where the two differ, InputError is thrown.
[[nodiscard]] std::vector<AddedToken> read_added_tokens(const std::optional<JsonValue>& list, Vocabulary& vocabulary,
                                                        std::size_t next);

// "added_tokens_decoder" of tokenizer_config.json: an object by id. Likewise.
[[nodiscard]] std::vector<AddedToken> read_added_tokens_decoder(const std::optional<JsonValue>& object,
                                                                Vocabulary& vocabulary);

// The tokens and ids of an object. Throws InputError as Vocabulary::add does.
void read_vocabulary(const JsonValue& object, Vocabulary& vocabulary);

// "a b"; nothing when it is not two tokens with a space between them.
[[nodiscard]] std::optional<std::pair<std::string, std::string>> merge_in(const std::string& line);

// The parts of tokenizer.json. Each throws InputError when a part is malformed, or of a kind that is not supported,
// which is named.
[[nodiscard]] Normalizer read_normalizer(const JsonValue& json);
[[nodiscard]] Splitter read_splitter(const JsonValue& json);

// What comes behind the model: special tokens around a text, which must be in the vocabulary, and trimmed offsets.
struct PostProcessing {
    Frame frame = {};
    std::vector<TrimOffsets> trims = {};
    bool has_template = false;  // of which some of the frame is
};
[[nodiscard]] PostProcessing read_post_processing(const JsonValue& json, const Vocabulary& vocabulary);

[[noreturn]] void fail_unknown_type(const JsonValue& json, const std::string& known);

// The special tokens of a model without tokenizer.json, without their ids.
using NamedTokens = std::map<std::string, AddedToken>;  // by what they are for: "cls_token"
struct SpecialTokens {
    NamedTokens named;
    std::vector<AddedToken> others = {};  // which the model's users added: additional_special_tokens

    [[nodiscard]] const std::string& at(const std::string& name) const { return named.at(name).content; }
};

// From tokenizer_config.json and special_tokens_map.json. `otherwise` are the named ones that neither of them names.
[[nodiscard]] SpecialTokens read_special_tokens(const std::string& folder, const JsonValue& configuration,
                                                NamedTokens otherwise);

// They are found in text as well, on top of those that the configuration lists or, where it lists none,
// added_tokens.json, which older models have. The others are put into the vocabulary where it lacks them.
[[nodiscard]] std::vector<AddedToken> read_added(const std::string& folder, const JsonValue& configuration,
                                                 const SpecialTokens& special, Vocabulary& vocabulary);

// From vocab.json and merges.txt: byte-level BPE as in GPT-2, RoBERTa or Qwen2, which is for `kind` to say: a class of
// Python's transformers ("RobertaTokenizer") or a model's type ("roberta"). Throws InputError for others.
[[nodiscard]] Tokenizer load_vocab_json(const std::string& folder, const JsonValue& configuration,
                                        const std::string& kind);

// From the model of sentencepiece in the file `name`: that of XLM-RoBERTa, CamemBERT, DeBERTa-v2 and v3, or Llama, for
// `kind` to say. Ids are those of Python's transformers, not the file's. Throws InputError for others.
[[nodiscard]] Tokenizer load_sentence_piece(const std::string& folder, const std::string& name,
                                            const JsonValue& configuration, const std::string& kind);

// From tokenizer.json, the file that the library `tokenizers` writes. `configuration` is tokenizer_config.json, which
// must not contradict it.
[[nodiscard]] Tokenizer load_tokenizer_json(const std::string& folder, const JsonValue& configuration);

}  // namespace wordbreadth::encoder::tokenizer
