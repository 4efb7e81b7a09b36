// From texts to vectors: what a language model makes of their tokens, or of each text as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "wordbreadth/device.h"
#include "wordbreadth/layers.h"

namespace wordbreadth {

struct EncoderOptions {
    std::string model;               // the folder of a Hugging Face snapshot
    std::string mecab_dictionary;    // a folder, for models that tokenize with MeCab
    std::vector<LayerRange> layers;  // each once, in any order; empty: the layer one third up
    std::size_t max_tokens = 128;    // of a text, special tokens included; longer texts are truncated
    Precision precision = Precision::automatic;
    std::string device = "auto";  // "auto", "cpu", "cuda" (the first GPU) or one GPU: "cuda:0", "cuda:1", ...
    // One of the device's; empty: the best this machine has. On the CPU it is that of the loops outside the matrix
    // products, for which oneDNN chooses its own. Between sets, vectors differ in their last bits.
    std::string instruction_set;
    unsigned threads = 0;  // 0: OMP_NUM_THREADS, else every core; never changes a result
};

// Half-open.
struct TextSpan {
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

// The tokens of one text. Special tokens ([CLS], [SEP]) are among them, with empty spans at 0.
struct EncodedText {
    std::vector<std::int32_t> ids;     // (tokens), in the model's vocabulary
    std::vector<TextSpan> bytes;       // (tokens): where each token stands in the text
    std::vector<TextSpan> characters;  // (tokens): the same in Unicode characters, as Python counts them
    std::vector<float> vectors;        // (tokens, layers, dimension), row after row
    bool truncated = false;            // there were more tokens than max_tokens
};

struct EncodeControl {
    std::function<void(double done)> progress;  // share of the tokens done, 0 to 1; called from the calling thread
    std::stop_token stop;                       // a request makes the call throw Cancelled
};

// A model in memory. Not to be used from two threads at once.
class Encoder {
  public:
    // Throws InputError when the folder holds no model that can be used, its files do not fit each other, or an option
    // asks for what the model or this machine does not have.
    explicit Encoder(const EncoderOptions& options);
    Encoder(Encoder&&) noexcept;
    Encoder& operator=(Encoder&&) noexcept;
    ~Encoder();

    // One result per text, in their order. A text's vectors do not depend, to the last bit, on the other texts.
    // Throws InputError, beginning with the number of the text ("text 3: ..."), when one is not UTF-8 or is longer than
    // limits::text_bytes; InputError when the model's numbers are too large for the precision; Cancelled.
    [[nodiscard]] std::vector<EncodedText> encode(std::span<const std::string> texts,
                                                  const EncodeControl& control = {}) const;

    // (texts, layers, dimension), row after row: the mean of each text's vectors, special tokens included, as sentence-
    // transformers pool them and extract() does with ExtractUnit::text. Throws as encode() does, and when a text has no
    // tokens (an empty text, with a model that adds no special ones).
    [[nodiscard]] std::vector<float> encode_pooled(std::span<const std::string> texts,
                                                   const EncodeControl& control = {}) const;

    [[nodiscard]] std::size_t dimension() const;                  // of the vector of one layer
    [[nodiscard]] std::size_t model_layers() const;               // that the model has
    [[nodiscard]] const std::vector<LayerRange>& layers() const;  // that the vectors come from, as asked for
    [[nodiscard]] Precision precision() const;                    // in use; never automatic
    [[nodiscard]] std::string device() const;                     // and its instruction set: "cpu (avx512)"

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// The same with an Encoder of its own: for one call.
[[nodiscard]] std::vector<EncodedText> encode(std::span<const std::string> texts, const EncoderOptions& options,
                                              const EncodeControl& control = {});

// What can run an Encoder, usable here or not, in the order in which "auto" tries them.
[[nodiscard]] std::vector<Device> encoder_devices();

}  // namespace wordbreadth
