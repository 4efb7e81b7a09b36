// Tensors of a pytorch_model.bin.
#include <array>
#include <optional>

#include "base/failure.h"
#include "base/file.h"
#include "encoder/snapshot/pickle.h"
#include "encoder/snapshot/tensors.h"
#include "encoder/snapshot/torch_archive.h"

namespace wordbreadth::encoder::snapshot {

namespace {

std::unique_ptr<TorchArchive> open_archive(const std::string& path) {
    std::array<char, 2> start{};
    (void)base::File(path).read(std::as_writable_bytes(std::span(start)));
    return std::string_view(start.data(), start.size()) == "PK" ? open_torch_zip(path) : open_torch_stream(path);
}

std::optional<arrays::Element> float_type(const std::string& storage) {
    if (storage == "FloatStorage") return arrays::Element::float32;
    if (storage == "HalfStorage") return arrays::Element::float16;
    if (storage == "BFloat16Storage") return arrays::Element::bfloat16;
    if (storage == "DoubleStorage") return arrays::Element::float64;
    return std::nullopt;
}

bool rows_lie_together(const TorchTensor& tensor) {
    std::uint64_t expected = 1;
    for (std::size_t i = tensor.shape.size(); i-- > 0;) {
        if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
        if (__builtin_mul_overflow(expected, tensor.shape[i], &expected)) return false;
    }
    return true;
}

class TorchSource : public TensorSource {
  public:
    explicit TorchSource(const std::string& path)
        : path_(path), archive_(open_archive(path)), tensors_(archive_->list()) {
        for (const auto& [name, tensor] : tensors_) require_whole(name, tensor);
    }

    [[nodiscard]] bool contains(const std::string& name) const override { return tensors_.contains(name); }
    [[nodiscard]] std::string where(const std::string& name) const override {
        return contains(name) ? path_ + ":" + name : path_;
    }
    [[nodiscard]] arrays::Shape shape(const std::string& name) const override { return tensors_.at(name).shape; }

    void read(const std::string& name, std::span<float> into) override {
        const TorchTensor& tensor = tensors_.at(name);
        const auto type = float_type(tensor.storage_type);
        if (!type)
            base::fail(where(name), "holds values of torch." + tensor.storage_type +
                                        "; expected FloatStorage, HalfStorage or BFloat16Storage");
        archive_->read(tensor.storage, tensor.offset, *type, into, where(name));
    }

  private:
    // The storage has all values of the tensor, one after the other. What is not of floats is never read.
    void require_whole(const std::string& name, const TorchTensor& tensor) const {
        const auto type = float_type(tensor.storage_type);
        if (!type) return;
        if (!rows_lie_together(tensor))
            base::fail(where(name), "has the strides " + arrays::to_text(tensor.strides) + " for the shape " +
                                        arrays::to_text(tensor.shape) +
                                        "; expected rows one after the other: save it again after contiguous()");
        const auto bytes = archive_->bytes_of(tensor.storage);
        if (!bytes)
            base::fail(where(name), "lies in the storage " + base::in_quotes(tensor.storage) +
                                        ", which the file does not hold; download the file again");
        const std::uint64_t values = *bytes / arrays::bytes_of(*type);
        const auto needed = arrays::checked_product(tensor.shape, 1);
        if (needed && tensor.offset <= values && *needed <= values - tensor.offset) return;
        base::fail(where(name), "has the shape " + arrays::to_text(tensor.shape) + " from value " +
                                    std::to_string(tensor.offset) + " on, but its storage holds " +
                                    std::to_string(values) + " values; download the file again");
    }

    std::string path_;
    std::unique_ptr<TorchArchive> archive_;
    StateDict tensors_;
};

}  // namespace

std::unique_ptr<TensorSource> open_torch_file(const std::string& path) {
    return std::make_unique<TorchSource>(path);
}

}  // namespace wordbreadth::encoder::snapshot
