#include "encoder/snapshot/tensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "base/failure.h"

namespace wordbreadth::encoder::snapshot {

std::unique_ptr<TensorSource> open_tensors(const std::string& folder) {
    const std::filesystem::path inside(folder);
    const auto has = [&](const char* name) {
        std::error_code ignored;
        return std::filesystem::exists(inside / name, ignored);
    };
    if (has("model.safetensors")) return open_safetensors_file((inside / "model.safetensors").string());
    if (has("model.safetensors.index.json")) return open_shards(folder, "model.safetensors.index.json");
    if (has("pytorch_model.bin")) return open_torch_file((inside / "pytorch_model.bin").string());
    base::fail(folder,
               "has no model.safetensors, model.safetensors.index.json or pytorch_model.bin; expected a Hugging Face "
               "snapshot folder");
}

void read_floats(base::Bytes& source, arrays::Element type, std::span<float> into) {
    std::array<double, 4096> piece;
    while (!into.empty()) {
        const std::size_t count = std::min(into.size(), piece.size());
        arrays::read_values(source, type, std::span(piece).first(count));
        for (std::size_t i = 0; i < count; ++i) into[i] = static_cast<float>(piece[i]);
        if (!std::all_of(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(count),
                         [](float x) { return std::isfinite(x); })) {
            base::fail(source.where(), "holds a weight that is not a finite number; download the file again");
        }
        into = into.subspan(count);
    }
}

}  // namespace wordbreadth::encoder::snapshot
