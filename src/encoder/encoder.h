// The encoder: tokens in, contextual vectors out. The interface that every device satisfies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "encoder/batching/batch.h"
#include "encoder/snapshot/config.h"
#include "encoder/tokenizer/tokenizer.h"
#include "wordbreadth/device.h"
#include "wordbreadth/encode.h"
#include "wordbreadth/error.h"
#include "wordbreadth/layers.h"

namespace wordbreadth::encoder {

using batching::Batch;

// A vector came out infinite or not a number: the model's numbers are too large for the precision, as can happen with
// f16.
struct NotFinite : InputError {
    NotFinite() : InputError("the model's numbers are too large for this precision") {}
};

struct RunOptions {
    std::vector<LayerRange> layers = {{0, 0}};  // at least one, each once
    Precision precision = Precision::f32;       // of the products; what a CPU lacks (bf16 some, f16 all) becomes f32
    unsigned threads = 1;                       // of the CPU; never changes a result
    std::string instruction_set = {};           // of the CPU's loops outside the products; empty: the best there is
    std::string device = "cuda";                // of the GPU's encoder: which one, "cuda:1"; "cuda" is the first
    std::stop_token stop = {};                  // of its opening: a request makes it throw Cancelled
};

class Encoder {
  public:
    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    virtual ~Encoder() = default;

    [[nodiscard]] virtual const snapshot::ModelConfig& config() const = 0;
    [[nodiscard]] virtual Precision precision() const = 0;          // in use: what was asked for, or f32
    [[nodiscard]] virtual std::string device() const = 0;           // "cpu" or "cuda"
    [[nodiscard]] virtual std::string instruction_set() const = 0;  // in use: "avx512", "sm_90"

    [[nodiscard]] virtual const std::vector<LayerRange>& layers() const = 0;  // that were asked for

    // Of a token's vector: those of all layers asked for, one after the other.
    [[nodiscard]] std::size_t width() const { return layers().size() * config().hidden; }

    // Fills `vectors` (kept.size(), layers, config().hidden). Nothing above the deepest layer asked for is computed,
    // and in that layer only what the kept tokens need. The vectors of a layer are the same, to the last bit, whatever
    // other layers are asked for. Not to be called from two threads at once. Throws InputError when the batch does not
    // fit the model: see batching::require_fits.
    virtual void encode(const Batch& batch, std::span<float> vectors) = 0;

    // For as long as it lives, encode() throws Cancelled when a stop is requested.
    class Watch {
      public:
        Watch(Encoder& encoder, std::stop_token stop) : encoder_(encoder) { encoder.stop_ = std::move(stop); }
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;
        ~Watch() { encoder_.stop_ = {}; }

      private:
        Encoder& encoder_;
    };

  protected:
    void check() const {
        if (stop_.stop_requested()) throw Cancelled();
    }

  private:
    std::stop_token stop_;
};

// Opens a snapshot folder for the CPU. Weights above the last layer asked for are not read. A sentence's vectors do not
// depend, to the last bit, on what else is in the batch; on how many of its tokens are kept they do, in the last bits.
// Throws InputError when a file is missing or malformed, tensors do not fit config.json, or there is no such layer.
[[nodiscard]] std::unique_ptr<Encoder> open_cpu_encoder(const std::string& folder, const RunOptions& options);

// The same for the GPU. A sentence's vectors do not depend, to the last bit, on what else is in the batch or kept of
// it; they do depend on the kind of GPU and the version of cuBLAS. encode() throws InputError when a sentence is too
// long for the GPU's memory, and NotFinite. Throws InputError also when there is no GPU or no cuBLAS to use, or the
// GPU's memory does not hold the model.
[[nodiscard]] std::unique_ptr<Encoder> open_cuda_encoder(const std::string& folder, const RunOptions& options);

// The GPUs that "cuda" stands for: the first usable one, and all of its kind, whose vectors are therefore the same.
// Empty where there is none.
[[nodiscard]] std::vector<std::string> gpus_alike();

// What the two devices are here.
[[nodiscard]] Device describe_cpu();
[[nodiscard]] Device describe_cuda();

// The last layer of all that are asked for.
[[nodiscard]] std::size_t deepest(std::span<const LayerRange> layers);

// Throws InputError unless there are layers, each once, with 0 <= first <= last <= config.layers, and the number of
// threads is within limits::threads.
void require_good_options(const std::string& folder, const snapshot::ModelConfig& config, const RunOptions& options);

// How a model will be opened: what is known before its weights are read.
struct ModelChoice {
    snapshot::ModelConfig config;
    std::vector<LayerRange> layers;  // that were asked for, or the default
    std::string device;              // "cpu" or "cuda"
    Precision precision;             // that will be in use
};

// Throws InputError when the folder holds no model, or the options ask for what there is not on any device.
[[nodiscard]] ModelChoice choose(const EncoderOptions& options);

// What the CPU uses where this is asked for.
[[nodiscard]] Precision precision_on_cpu(Precision asked);

// A model with its tokenizer, opened on the device that the options name.
struct OpenModel {
    tokenizer::Tokenizer tokenizer;
    std::unique_ptr<Encoder> encoder;
};

// Throws InputError as the constructor of the public Encoder does.
[[nodiscard]] OpenModel open_model(const EncoderOptions& options);

// The two halves of it: the tokenizer, which is there soon, and the encoder, which takes a while.
[[nodiscard]] tokenizer::Tokenizer open_tokenizer(const EncoderOptions& options);
[[nodiscard]] std::unique_ptr<Encoder> open_encoder(const EncoderOptions& options, const std::stop_token& stop = {});

// The GPUs that the options allow, by name; the encoder that they open is on the first. Empty on the CPU.
[[nodiscard]] std::vector<std::string> gpus_of(const EncoderOptions& options);

}  // namespace wordbreadth::encoder
