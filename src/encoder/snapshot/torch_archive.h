// The storages of a pytorch_model.bin, in either of the two forms that torch has written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "arrays/element.h"
#include "encoder/snapshot/pickle.h"

namespace wordbreadth::encoder::snapshot {

class TorchArchive {
  public:
    TorchArchive() = default;
    TorchArchive(const TorchArchive&) = delete;
    TorchArchive& operator=(const TorchArchive&) = delete;
    virtual ~TorchArchive() = default;

    // Which tensors there are, and where in which storage each lies.
    [[nodiscard]] virtual StateDict list() = 0;

    // Of a storage; nothing when the file does not hold it. After list().
    [[nodiscard]] virtual std::optional<std::uint64_t> bytes_of(const std::string& storage) const = 0;

    // Reads from value `offset` of a storage that is there and large enough. `where` names the tensor in messages.
    virtual void read(const std::string& storage, std::uint64_t offset, arrays::Element type, std::span<float> into,
                      const std::string& where) = 0;
};

// As torch has written it since version 1.6. Throws InputError when the file is damaged.
[[nodiscard]] std::unique_ptr<TorchArchive> open_torch_zip(const std::string& path);

// As it did before. Throws likewise, and when the file is of neither form.
[[nodiscard]] std::unique_ptr<TorchArchive> open_torch_stream(const std::string& path);

}  // namespace wordbreadth::encoder::snapshot
