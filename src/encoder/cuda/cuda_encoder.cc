// The encoder on a GPU: cuBLASLt for the products, our own kernels for the rest.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "base/failure.h"
#include "encoder/cuda/flight.h"
#include "encoder/encoder.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder {

namespace {

using gpu::Flight;
using gpu::Piece;
using ::wordbreadth::cuda::OutOfMemory;

// Enough to fill the device, and few enough that much of a piece is still in its cache when the next kernel wants it.
constexpr std::size_t most_tokens_together = 32'768;
constexpr std::size_t fewest_tokens_together = 256;

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
    CudaEncoder(ModelWeights& weights, const EncoderOptions& options)
        : options_(options),
          model_(weights, options.layers.last, options.precision, streams_.work),
          pass_(model_, streams_.work),
          copiers_(options.threads) {}

    [[nodiscard]] const ModelConfig& config() const override { return model_.config; }
    [[nodiscard]] Precision precision() const override { return model_.precision; }

    void encode(const Batch& batch, std::span<float> vectors) override {
        require_fits(batch, model_.config);
        if (vectors.size() != batch.kept.size() * model_.config.hidden)
            throw std::invalid_argument("encode: `vectors` has another size than (kept, hidden)");
        const std::vector<Piece> pieces = cut_to_fit(batch);
        try {
            run(batch, pieces, vectors);
        } catch (...) {
            static_cast<void>(cudaDeviceSynchronize());  // nothing is on its way when the next call comes
            throw;
        }
    }

  private:
    // The device always has two pieces before it while the vectors of a third are taken home.
    void run(const Batch& batch, const std::vector<Piece>& pieces, std::span<float> vectors) {
        const auto flight_of = [&](std::size_t piece) -> Flight& { return flights_[piece % flights_.size()]; };
        const std::size_t ahead = flights_.size() - 1;
        for (std::size_t i = 0; i < pieces.size() + ahead; ++i) {
            if (i < pieces.size()) flight_of(i).start(batch, pieces[i], pass_, options_.layers, model_.sizes, streams_);
            if (i >= ahead) flight_of(i - ahead).finish(vectors, model_.sizes, copiers_);
        }
    }

    // Pieces that the device's memory holds, and the memory for them.
    std::vector<Piece> cut_to_fit(const Batch& batch) {
        for (;; tokens_together_ /= 2) {
            std::vector<Piece> pieces = cpu::cut(batch, tokens_together_);
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
        for (Flight& flight : flights_) flight.reserve(tokens, kept, model_.sizes);
    }

    void release() {
        pass_.release();
        for (Flight& flight : flights_) flight.release();
    }

    [[noreturn]] static void fail_for_memory(const Batch& batch) {
        throw InputError("the GPU's free memory does not hold the numbers of " +
                         std::to_string(longest_sentence(batch)) +
                         " tokens, the longest sentence; end what else uses it, cut sentences to fewer tokens, "
                         "or use the device cpu");
    }

    EncoderOptions options_;
    gpu::Streams streams_;
    gpu::DeviceModel model_;
    gpu::Pass pass_;
    std::array<Flight, 3> flights_;
    gpu::Copiers copiers_;
    std::size_t tokens_together_ = most_tokens_together;
};

}  // namespace

std::unique_ptr<Encoder> open_cuda_encoder(const std::string& folder, const EncoderOptions& options) {
    ModelWeights weights(folder);
    require_good_options(folder, weights.config(), options);
    gpu::require_known_sizes(folder, weights.config());
    if (const std::string because = ::wordbreadth::cuda::why_unavailable(); !because.empty())
        throw InputError("the encoder cannot run on a GPU: " + because + "; use the device cpu");
    try {
        return std::make_unique<CudaEncoder>(weights, options);
    } catch (const OutOfMemory&) {
        base::fail(folder,
                   "the model does not fit into the GPU's free memory; end what else uses it, or use "
                   "the device cpu");
    }
}

}  // namespace wordbreadth::encoder
