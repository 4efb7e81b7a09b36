// The encoder: tokens in, contextual vectors out. The interface that every device satisfies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "encoder/config.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder {

// Which vectors: those of one layer, or the mean of a range of layers. 0 is the embeddings; the last layer of a
// ModernBERT includes its final norm, as in transformers' hidden_states.
struct Layers {
    std::size_t first = 0;
    std::size_t last = 0;
};

enum class Precision { f32, bf16, f16 };

// A vector came out infinite or not a number: the model's numbers are too large for the precision, as can happen with
// f16.
struct NotFinite : InputError {
    NotFinite() : InputError("the model's numbers are too large for this precision") {}
};

struct EncoderOptions {
    Layers layers = {};
    Precision precision = Precision::f32;  // of the products; what a CPU lacks (bf16 some, f16 all) becomes f32
    unsigned threads = 1;                  // of the CPU; never changes a result
};

// Sentences one after the other, without padding.
struct Batch {
    std::span<const std::int32_t> ids;    // (tokens), special tokens included
    std::span<const std::int32_t> types;  // (tokens), or empty: all 0
    std::span<const std::size_t> ends;    // (sentences): one past the last token of each; ascending, none empty
    std::span<const std::size_t> kept;    // the tokens whose vectors are wanted; ascending, each once
};

class Encoder {
  public:
    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    virtual ~Encoder() = default;

    [[nodiscard]] virtual const ModelConfig& config() const = 0;
    [[nodiscard]] virtual Precision precision() const = 0;  // that is really used

    // Fills `vectors` (kept.size(), config().hidden). Nothing above the last layer asked for is computed, and in that
    // layer only what the kept tokens need. Not to be called from two threads at once.
    // Throws InputError when the batch does not fit the model: see require_fits.
    virtual void encode(const Batch& batch, std::span<float> vectors) = 0;
};

// Opens a snapshot folder for the CPU. Weights above the last layer asked for are not read. A sentence's vectors do not
// depend, to the last bit, on what else is in the batch; on how many of its tokens are kept they do, in the last bits.
// Throws InputError when a file is missing or malformed, tensors do not fit config.json, or there is no such layer.
[[nodiscard]] std::unique_ptr<Encoder> open_cpu_encoder(const std::string& folder, const EncoderOptions& options);

// The same for the GPU. A sentence's vectors do not depend, to the last bit, on what else is in the batch or kept of
// it; they do depend on the kind of GPU and the version of cuBLAS. encode() throws InputError when a sentence is too
// long for the GPU's memory, and NotFinite. Throws InputError also when there is no GPU or no cuBLAS to use, or the
// GPU's memory does not hold the model.
[[nodiscard]] std::unique_ptr<Encoder> open_cuda_encoder(const std::string& folder, const EncoderOptions& options);

// Throws InputError unless 0 <= first <= last <= config.layers and the number of threads is within limits::threads.
void require_good_options(const std::string& folder, const ModelConfig& config, const EncoderOptions& options);

// Throws InputError when an id or a token type is past the model's, a sentence is longer than its positions, or the
// lists do not agree with each other.
void require_fits(const Batch& batch, const ModelConfig& config);

}  // namespace wordbreadth::encoder
