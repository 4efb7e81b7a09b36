// The named tensors of a snapshot, whatever files they lie in.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "arrays/array_file.h"
#include "base/file.h"

namespace wordbreadth::encoder::snapshot {

struct StoredTensor {
    std::string where;    // "FILE:NAME", for messages
    arrays::Shape shape;  // the file has been found to hold as many values

    // Reads all values; `into` has their number. Throws InputError when they are not float16, bfloat16, float32 or
    // float64, or cannot be read, or are not finite.
    std::function<void(std::span<float> into)> read;
};

struct TensorSource {
    std::string where;  // the file that should have a tensor where there is none
    std::map<std::string, StoredTensor> tensors = {};

    [[nodiscard]] bool contains(const std::string& name) const { return tensors.contains(name); }
};

// model.safetensors; or else the shards that model.safetensors.index.json lists; or else pytorch_model.bin.
// Throws InputError when `folder` has none of them, or the one it has is malformed.
[[nodiscard]] TensorSource open_tensors(const std::string& folder);

// pytorch_model.bin by itself: see torch.cc. Throws InputError when the file is missing or malformed.
[[nodiscard]] TensorSource open_torch_file(const std::string& path);

// Reads into.size() values of the tensor `where` from where `source` stands; throws InputError when one is not finite.
void read_floats(base::Bytes& source, const std::string& where, arrays::Element type, std::span<float> into);

}  // namespace wordbreadth::encoder::snapshot
