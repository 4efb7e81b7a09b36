// The encoder on the CPU: oneDNN for the products, our own loops for the rest.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/workers.h"
#include "cpu/onednn.h"
#include "encoder/cpu/pass.h"
#include "encoder/encoder.h"

namespace wordbreadth::encoder {

namespace {

using cpu::Model;
using cpu::Pass;
using cpu::Piece;

// Large pieces use the weights of a layer often once they are fetched, and repeat more words; but every thread should
// get its share, and not all at once. Measured at 512 to 4096 tokens: 12% between them. Where the cuts are changes no
// result.
std::size_t tokens_together(std::size_t tokens, unsigned threads) {
    constexpr std::size_t least = 4 * cpu::Product::rows_together;
    constexpr std::size_t most = 64 * cpu::Product::rows_together;
    return std::clamp(cpu::Product::padded_rows(tokens / threads / 2), least, most);
}

Precision usable(Precision asked) {
    return asked == Precision::bf16 && cpu::has_bf16() ? Precision::bf16 : Precision::f32;
}

class CpuEncoder : public Encoder {
  public:
    CpuEncoder(ModelWeights& weights, const EncoderOptions& options)
        : options_(options),
          model_(weights, options.layers.last, usable(options.precision)),
          workers_(options.threads) {
        for (std::size_t i = 0; i < workers_.size(); ++i) passes_.push_back(std::make_unique<Pass>(model_));
    }

    [[nodiscard]] const ModelConfig& config() const override { return model_.config; }
    [[nodiscard]] Precision precision() const override { return model_.precision; }

    void encode(const Batch& batch, std::span<float> vectors) override {
        require_fits(batch, model_.config);
        if (vectors.size() != batch.kept.size() * model_.config.hidden)
            throw std::invalid_argument("encode: `vectors` has another size than (kept, hidden)");
        const std::vector<Piece> pieces = cpu::cut(batch, tokens_together(batch.ids.size(), options_.threads));
        for (const Piece& piece : pieces) model_.reserve_positions(piece.tokens());  // at least its longest sentence
        ::wordbreadth::cpu::within_memory([&] {
            workers_.run(pieces.size(), [&](std::size_t piece, std::size_t thread) {
                passes_[thread]->run(batch, pieces[piece], options_.layers, vectors);
            });
        });
    }

  private:
    EncoderOptions options_;
    Model model_;
    std::vector<std::unique_ptr<Pass>> passes_;  // one a thread
    base::Workers workers_;
};

}  // namespace

std::unique_ptr<Encoder> open_cpu_encoder(const std::string& folder, const EncoderOptions& options) {
    ModelWeights weights(folder);
    require_good_options(folder, weights.config(), options);
    return ::wordbreadth::cpu::within_memory([&] { return std::make_unique<CpuEncoder>(weights, options); });
}

}  // namespace wordbreadth::encoder
