// The named tensors of a snapshot, whatever files they lie in.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "arrays/matrix.h"
#include "base/file.h"

namespace wordbreadth::encoder::snapshot {

class TensorSource {
  public:
    TensorSource() = default;
    TensorSource(const TensorSource&) = delete;
    TensorSource& operator=(const TensorSource&) = delete;
    virtual ~TensorSource() = default;

    [[nodiscard]] virtual bool contains(const std::string& name) const = 0;

    // "FILE:NAME", for messages; where there is no such tensor, the file that should have it.
    [[nodiscard]] virtual std::string where(const std::string& name) const = 0;

    // Of a tensor that is there. The file has been found to hold as many values.
    [[nodiscard]] virtual arrays::Shape shape(const std::string& name) const = 0;

    // Reads all values of a tensor that is there; `into` has their number.
    // Throws InputError when they are not float16, bfloat16, float32 or float64, or cannot be read, or are not finite.
    virtual void read(const std::string& name, std::span<float> into) = 0;
};

// model.safetensors; or else the shards that model.safetensors.index.json lists; or else pytorch_model.bin.
// Throws InputError when `folder` has none of them, or the one it has is malformed.
[[nodiscard]] std::unique_ptr<TensorSource> open_tensors(const std::string& folder);

// pytorch_model.bin by itself: see torch.cc. Throws InputError when the file is missing or malformed.
[[nodiscard]] std::unique_ptr<TensorSource> open_torch_file(const std::string& path);

// Reads into.size() values from where `source` stands; throws InputError when one is not finite.
void read_floats(base::Bytes& source, arrays::Element type, std::span<float> into);

// The same from byte `offset` of a file; `where` names the tensor in messages.
void read_floats(base::File& file, std::uint64_t offset, const std::string& where, arrays::Element type,
                 std::span<float> into);

}  // namespace wordbreadth::encoder::snapshot
