// The encoder on a GPU: cuBLASLt for the products, our own kernels for the rest.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "base/failure.h"
#include "encoder/cuda/pipeline.h"
#include "encoder/encoder.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder {

namespace {

using batching::Piece;
using cuda::Slot;
using ::wordbreadth::cuda::OutOfMemory;

// Enough to fill the device, and few enough that much of a piece is still in its cache when the next kernel wants it.
constexpr std::size_t most_tokens_together = 32'768;
constexpr std::size_t fewest_tokens_together = 256;
constexpr unsigned most_copiers = 8;  // more threads do not copy faster

std::size_t longest_sentence(const Batch& batch) {
    std::size_t longest = 0;
    std::size_t begin = 0;
    for (const std::size_t end : batch.ends) {
        longest = std::max(longest, end - begin);
        begin = end;
    }
    return longest;
}

class CudaEncoder : public Encoder {
  public:
    CudaEncoder(snapshot::ModelWeights& weights, const RunOptions& options)
        : options_(options),
          model_(weights, options.layers.last, options.precision, streams_.work),
          pass_(model_, streams_.work),
          copiers_(std::min(options.threads, most_copiers)) {}

    [[nodiscard]] const snapshot::ModelConfig& config() const override { return model_.config; }
    [[nodiscard]] Precision precision() const override { return model_.precision; }
    [[nodiscard]] std::string device() const override { return "cuda"; }
    [[nodiscard]] std::string instruction_set() const override { return describe_cuda().instruction_set; }

    void encode(const Batch& batch, std::span<float> vectors) override {
        batching::require_fits(batch, model_.config);
        if (vectors.size() != batch.kept.size() * model_.config.hidden)
            throw std::invalid_argument("encode: `vectors` has another size than (kept, hidden)");
        const std::vector<Piece> pieces = cut_to_fit(batch);
        try {
            run(batch, pieces, vectors);
        } catch (...) {
            static_cast<void>(cudaDeviceSynchronize());  // the next call starts with empty streams
            throw;
        }
    }

  private:
    // The device always has two pieces queued while the vectors of a third are copied back.
    void run(const Batch& batch, const std::vector<Piece>& pieces, std::span<float> vectors) {
        const auto slot_of = [&](std::size_t piece) -> Slot& { return slots_[piece % slots_.size()]; };
        const std::size_t ahead = slots_.size() - 1;
        for (std::size_t i = 0; i < pieces.size() + ahead; ++i) {
            if (i < pieces.size()) slot_of(i).start(batch, pieces[i], pass_, options_.layers, model_.sizes, streams_);
            if (i >= ahead) slot_of(i - ahead).finish(vectors, model_.sizes, copiers_);
        }
    }

    // Pieces that the device's memory holds, and the memory for them.
    std::vector<Piece> cut_to_fit(const Batch& batch) {
        for (;; tokens_together_ /= 2) {
            std::vector<Piece> pieces = batching::cut(batch, tokens_together_);
            try {
                reserve(batch, pieces);
                return pieces;
            } catch (const OutOfMemory&) {
                release();
                if (tokens_together_ > fewest_tokens_together) continue;
                tokens_together_ = most_tokens_together;  // there may be more the next time
                fail_for_memory(batch);
            }
        }
    }

    void reserve(const Batch& batch, const std::vector<Piece>& pieces) {
        std::size_t tokens = 0;
        std::size_t kept = 0;
        for (const Piece& piece : pieces) {
            tokens = std::max(tokens, piece.tokens());
            kept = std::max(kept, piece.kept());
        }
        if (pieces.empty()) return;
        model_.reserve_positions(longest_sentence(batch));
        pass_.reserve(tokens, kept);
        for (Slot& slot : slots_) slot.reserve(tokens, kept, model_.sizes);
    }

    void release() {
        pass_.release();
        for (Slot& slot : slots_) slot.release();
    }

    [[noreturn]] static void fail_for_memory(const Batch& batch) {
        throw InputError("the GPU's free memory does not hold the numbers of " +
                         std::to_string(longest_sentence(batch)) +
                         " tokens, the longest sentence; end what else uses it, truncate sentences, or use the CPU");
    }

    RunOptions options_;
    cuda::Streams streams_;
    cuda::DeviceModel model_;
    cuda::Pass pass_;
    std::array<Slot, 3> slots_;
    base::Workers copiers_;
    std::size_t tokens_together_ = most_tokens_together;
};

}  // namespace

Device describe_cuda() {
    Device device;
    device.name = "cuda";
    device.unavailable_because = ::wordbreadth::cuda::why_unavailable();
    device.available = device.unavailable_because.empty();
    device.description = "NVIDIA GPU";
    if (!device.available) return device;
    const cudaDeviceProp& gpu = ::wordbreadth::cuda::properties();
    device.description = gpu.name;
    device.instruction_set = "sm_" + std::to_string(gpu.major) + std::to_string(gpu.minor);
    device.instruction_sets = {device.instruction_set};
    return device;
}

std::unique_ptr<Encoder> open_cuda_encoder(const std::string& folder, const RunOptions& options) {
    snapshot::ModelWeights weights(folder);
    require_good_options(folder, weights.config(), options);
    cuda::require_known_sizes(folder, weights.config());
    const Device device = describe_cuda();
    if (!device.available)
        throw InputError("device 'cuda' cannot be used: " + device.unavailable_because + "; use the CPU");
    if (!options.instruction_set.empty() && options.instruction_set != device.instruction_set)
        throw InputError("instruction set '" + options.instruction_set +
                         "' cannot be used by device cuda here; expected " + device.instruction_set);
    try {
        return std::make_unique<CudaEncoder>(weights, options);
    } catch (const OutOfMemory&) {
        base::fail(folder, "the model does not fit into the GPU's free memory; end what else uses it, or use the CPU");
    }
}

}  // namespace wordbreadth::encoder
