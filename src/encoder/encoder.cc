#include "encoder/encoder.h"

#include "base/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder {

void require_good_options(const std::string& folder, const snapshot::ModelConfig& config, const RunOptions& options) {
    const auto& [first, last] = options.layers;
    if (first > last)
        throw InputError("layers " + std::to_string(first) + " to " + std::to_string(last) +
                         ": the first is above the last");
    if (last > config.layers) {
        base::fail(folder, "layer " + std::to_string(last) + " was asked for; the model has " +
                               std::to_string(config.layers) + " (0 is the embeddings)");
    }
    if (options.threads < 1 || options.threads > limits::threads) {
        throw InputError(std::to_string(options.threads) + " threads were asked for; expected 1 to " +
                         std::to_string(limits::threads));
    }
}

}  // namespace wordbreadth::encoder
