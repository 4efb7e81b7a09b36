// Tensors of a pytorch_model.bin in its zip form: a pickle that lists them, and a member for each storage.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "encoder/pickle.h"
#include "encoder/tensors.h"
#include "store/failure.h"
#include "store/file.h"
#include "store/zip.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder {

namespace {

constexpr std::string_view list_name = "/data.pkl";

void require_zip(const std::string& path) {
    store::File file(path);
    std::array<char, 4> start{};
    (void)file.read(std::as_writable_bytes(std::span(start)));
    if (std::string_view(start.data(), 2) == "PK") return;
    store::fail(path,
                "is not in the zip form that torch has written since version 1.6; load it with a newer torch and save "
                "it again as model.safetensors");
}

std::optional<store::Element> float_type(const std::string& storage) {
    if (storage == "FloatStorage") return store::Element::float32;
    if (storage == "HalfStorage") return store::Element::float16;
    if (storage == "BFloat16Storage") return store::Element::bfloat16;
    if (storage == "DoubleStorage") return store::Element::float64;
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

void skip(store::Bytes& bytes, std::uint64_t count) {
    std::array<std::byte, 65536> piece;
    while (count > 0) {
        const std::size_t now = std::min<std::uint64_t>(count, piece.size());
        bytes.read_all(std::span(piece).first(now), "a storage");
        count -= now;
    }
}

class TorchSource : public TensorSource {
  public:
    explicit TorchSource(const std::string& path)
        : path_((require_zip(path), path)), file_bytes_(store::File(path).size()), archive_(path) {
        list_members();
        tensors_ = read_state_dict(path + ":data.pkl", list());
        for (const auto& [name, tensor] : tensors_) require_whole(name, tensor);
    }

    [[nodiscard]] bool contains(const std::string& name) const override { return tensors_.contains(name); }
    [[nodiscard]] std::string where(const std::string& name) const override {
        return contains(name) ? path_ + ":" + name : path_;
    }
    [[nodiscard]] store::Shape shape(const std::string& name) const override { return tensors_.at(name).shape; }

    void read(const std::string& name, std::span<float> into) override {
        const TorchTensor& tensor = tensors_.at(name);
        const auto type = float_type(tensor.storage_type);
        if (!type)
            store::fail(where(name), "holds values of torch." + tensor.storage_type +
                                         "; expected FloatStorage, HalfStorage or BFloat16Storage");
        store::ZipMember bytes = archive_.open(member(name, tensor).index, where(name));
        skip(bytes, tensor.offset * store::bytes_of(*type));
        read_floats(bytes, *type, into);
    }

  private:
    struct Member {
        std::uint64_t index, bytes;
    };

    void list_members() {
        if (archive_.entries() > limits::archive_entries)
            store::fail(path_, "holds more than " + std::to_string(limits::archive_entries) + " members");
        for (std::uint64_t i = 0; i < archive_.entries(); ++i) {
            const store::ZipEntry entry = archive_.entry(i);
            // torch stores and never packs, so that a size is backed by bytes of the file.
            if (entry.deflated || entry.size > file_bytes_)
                store::fail(
                    path_ + ":" + store::in_quotes(entry.name),
                    "is packed, or larger than the file; torch stores its members as they are: save the model again");
            if (entry.name.ends_with(list_name)) folder_ = entry.name.substr(0, entry.name.size() - list_name.size());
            members_.emplace(entry.name, Member{i, entry.size});
        }
    }

    std::string list() {
        const auto found = members_.find(folder_ + std::string(list_name));
        if (found == members_.end())
            store::fail(path_, "holds no data.pkl, the list of tensors; expected a model that torch.save wrote");
        const Member& member = found->second;
        if (member.bytes > limits::pickle_bytes) {
            store::fail(path_, "holds a data.pkl of " + std::to_string(member.bytes) + " bytes; at most " +
                                   std::to_string(limits::pickle_bytes) + " are accepted");
        }
        std::string bytes(member.bytes, '\0');
        archive_.open(member.index, path_ + ":data.pkl").read_all(std::as_writable_bytes(std::span(bytes)), "data.pkl");
        return bytes;
    }

    [[nodiscard]] const Member& member(const std::string& name, const TorchTensor& tensor) const {
        const auto found = members_.find(folder_ + "/data/" + tensor.storage);
        if (found == members_.end())
            store::fail(where(name), "lies in the storage " + store::in_quotes(tensor.storage) +
                                         ", which the archive does not hold; download the file again");
        return found->second;
    }

    // The storage has all values of the tensor, one after the other. What is not of floats is never read.
    void require_whole(const std::string& name, const TorchTensor& tensor) const {
        const auto type = float_type(tensor.storage_type);
        if (!type) return;
        if (!rows_lie_together(tensor))
            store::fail(where(name), "has the strides " + store::to_text(tensor.strides) + " for the shape " +
                                         store::to_text(tensor.shape) +
                                         "; expected rows one after the other: save it again after contiguous()");
        const std::uint64_t values = member(name, tensor).bytes / store::bytes_of(*type);
        const auto needed = store::checked_product(tensor.shape, 1);
        if (needed && tensor.offset <= values && *needed <= values - tensor.offset) return;
        store::fail(where(name), "has the shape " + store::to_text(tensor.shape) + " from value " +
                                     std::to_string(tensor.offset) + " on, but its storage holds " +
                                     std::to_string(values) + " values; download the file again");
    }

    std::string path_;
    std::uint64_t file_bytes_;
    store::Zip archive_;
    std::string folder_;
    std::map<std::string, Member> members_;
    StateDict tensors_;
};

}  // namespace

std::unique_ptr<TensorSource> open_torch_file(const std::string& path) {
    return std::make_unique<TorchSource>(path);
}

}  // namespace wordbreadth::encoder
