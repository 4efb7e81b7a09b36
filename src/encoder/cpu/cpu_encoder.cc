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

using batching::Piece;
using cpu::Model;
using cpu::Pass;

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
    CpuEncoder(snapshot::ModelWeights& weights, const RunOptions& options)
        : options_(options),
          model_(weights, options.layers.last, usable(options.precision)),
          kernels_(cpu::kernels_for(options.instruction_set)),
          workers_(options.threads) {
        for (std::size_t i = 0; i < workers_.size(); ++i) passes_.push_back(std::make_unique<Pass>(model_, kernels_));
    }

    [[nodiscard]] const snapshot::ModelConfig& config() const override { return model_.config; }
    [[nodiscard]] Precision precision() const override { return model_.precision; }
    [[nodiscard]] std::string device() const override { return "cpu"; }
    [[nodiscard]] std::string instruction_set() const override { return passes_.front()->kernels().name; }

    void encode(const Batch& batch, std::span<float> vectors) override {
        batching::require_fits(batch, model_.config);
        if (vectors.size() != batch.kept.size() * model_.config.hidden)
            throw std::invalid_argument("encode: `vectors` has another size than (kept, hidden)");
        const std::vector<Piece> pieces = batching::cut(batch, tokens_together(batch.ids.size(), options_.threads));
        for (const Piece& piece : pieces) model_.reserve_positions(piece.tokens());  // at least its longest sentence
        ::wordbreadth::cpu::within_memory([&] {
            workers_.run(pieces.size(), [&](std::size_t piece, std::size_t thread) {
                passes_[thread]->run(batch, pieces[piece], options_.layers, vectors);
            });
        });
    }

  private:
    RunOptions options_;
    Model model_;
    const cpu::Kernels& kernels_;
    std::vector<std::unique_ptr<Pass>> passes_;  // one per thread
    base::Workers workers_;
};

}  // namespace

Device describe_cpu() {
    Device device;
    device.name = "cpu";
    device.description = "this machine's processor: oneDNN for the matrix products, our own loops for the rest";
    device.available = true;
    for (const cpu::Kernels* kernels : cpu::usable_kernels()) device.instruction_sets.emplace_back(kernels->name);
    device.instruction_set = device.instruction_sets.back();
    return device;
}

std::unique_ptr<Encoder> open_cpu_encoder(const std::string& folder, const RunOptions& options) {
    snapshot::ModelWeights weights(folder);
    require_good_options(folder, weights.config(), options);
    return ::wordbreadth::cpu::within_memory([&] { return std::make_unique<CpuEncoder>(weights, options); });
}

}  // namespace wordbreadth::encoder
