// Tensors of a pytorch_model.bin, in either of the two forms that torch has written.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "arrays/matrix.h"
#include "arrays/zip.h"
#include "base/failure.h"
#include "base/file.h"
#include "encoder/snapshot/pickle.h"
#include "encoder/snapshot/tensors.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

using namespace std::string_view_literals;

// The storages of the file.
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

constexpr std::string_view list_name = "/data.pkl";

void skip(base::Bytes& bytes, std::uint64_t count) {
    std::array<std::byte, 65536> piece;
    while (count > 0) {
        const std::size_t now = std::min<std::uint64_t>(count, piece.size());
        bytes.read_all(std::span(piece).first(now), "a storage");
        count -= now;
    }
}

// As torch has written it since version 1.6: a zip archive with a pickle that lists the tensors, and a member for each
// storage.
class TorchZip : public TorchArchive {
  public:
    explicit TorchZip(const std::string& path) : path_(path), file_bytes_(base::File(path).size()), archive_(path) {
        list_members();
    }

    [[nodiscard]] StateDict list() override {
        const auto found = members_.find(folder_ + std::string(list_name));
        if (found == members_.end())
            base::fail(path_, "holds no data.pkl, the list of tensors; expected a model that torch.save wrote");
        const Member& member = found->second;
        if (member.bytes > limits::pickle_bytes) {
            base::fail(path_, "holds a data.pkl of " + std::to_string(member.bytes) + " bytes; at most " +
                                  std::to_string(limits::pickle_bytes) + " are accepted");
        }
        const std::string where = path_ + ":data.pkl";
        std::string bytes(member.bytes, '\0');
        archive_.open(member.index, where).read_all(std::as_writable_bytes(std::span(bytes)), "data.pkl");
        return read_state_dict(where, bytes);
    }

    [[nodiscard]] std::optional<std::uint64_t> bytes_of(const std::string& storage) const override {
        const auto found = members_.find(member_name(storage));
        return found == members_.end() ? std::nullopt : std::optional(found->second.bytes);
    }

    void read(const std::string& storage, std::uint64_t offset, arrays::Element type, std::span<float> into,
              const std::string& where) override {
        arrays::ZipMember bytes = archive_.open(members_.at(member_name(storage)).index, where);
        skip(bytes, offset * arrays::bytes_of(type));
        read_floats(bytes, type, into);
    }

  private:
    struct Member {
        std::uint64_t index, bytes;
    };

    void list_members() {
        if (archive_.entries() > limits::archive_entries)
            base::fail(path_, "holds more than " + std::to_string(limits::archive_entries) + " members");
        for (std::uint64_t i = 0; i < archive_.entries(); ++i) {
            const arrays::ZipEntry entry = archive_.entry(i);
            // torch stores and never packs, so that a size is backed by bytes of the file.
            if (entry.deflated || entry.size > file_bytes_)
                base::fail(
                    path_ + ":" + base::in_quotes(entry.name),
                    "is packed, or larger than the file; torch stores its members as they are: save the model again");
            if (entry.name.ends_with(list_name)) folder_ = entry.name.substr(0, entry.name.size() - list_name.size());
            members_.emplace(entry.name, Member{i, entry.size});
        }
    }

    [[nodiscard]] std::string member_name(const std::string& storage) const { return folder_ + "/data/" + storage; }

    std::string path_;
    std::uint64_t file_bytes_;
    arrays::Zip archive_;
    std::string folder_;
    std::map<std::string, Member> members_;
};

// 0x1950a86a20f9469cfc6c and 1001, pickled.
constexpr std::string_view head = "\x80\x02\x8A\x0Al\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19.\x80\x02M\xE9\x03."sv;

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 10> bytes_by_type{{{"FloatStorage", 4},
                                                                                    {"HalfStorage", 2},
                                                                                    {"BFloat16Storage", 2},
                                                                                    {"DoubleStorage", 8},
                                                                                    {"LongStorage", 8},
                                                                                    {"IntStorage", 4},
                                                                                    {"ShortStorage", 2},
                                                                                    {"CharStorage", 1},
                                                                                    {"ByteStorage", 1},
                                                                                    {"BoolStorage", 1}}};

// As torch wrote it before version 1.6, and transformers for some time after: a magic number, a version, a description
// of the machine, the list of tensors and the keys of the storages, each of them a pickle; then the storages in the
// order of their keys, each behind the number of its values.
class TorchStream : public TorchArchive {
  public:
    explicit TorchStream(const std::string& path) : file_(path) {
        start_.resize(std::min<std::uint64_t>(file_.size(), limits::pickle_bytes));
        file_.read_all(std::as_writable_bytes(std::span(start_)), "the file");
        if (start_.starts_with(head)) return;
        base::fail(path,
                   "is not a model that torch.save wrote; download the file again, or save the model as "
                   "model.safetensors");
    }

    [[nodiscard]] StateDict list() override {
        std::size_t at = head.size();
        skip_pickle(file_.where(), start_, at);
        StateDict tensors = read_state_dict(file_.where(), start_, at);
        const std::vector<std::string> keys = read_texts(file_.where(), start_, at);
        start_ = {};
        find_storages(tensors, keys, at);
        return tensors;
    }

    [[nodiscard]] std::optional<std::uint64_t> bytes_of(const std::string& storage) const override {
        const auto found = storages_.find(storage);
        return found == storages_.end() ? std::nullopt : std::optional(found->second.bytes);
    }

    void read(const std::string& storage, std::uint64_t offset, arrays::Element type, std::span<float> into,
              const std::string& where) override {
        read_floats(file_, storages_.at(storage).begin + offset * arrays::bytes_of(type), where, type, into);
    }

  private:
    struct Place {
        std::uint64_t begin, bytes;
    };

    void find_storages(const StateDict& tensors, const std::vector<std::string>& keys, std::uint64_t at) {
        std::map<std::string, std::string> types;
        for (const auto& [name, tensor] : tensors) types.emplace(tensor.storage, tensor.storage_type);
        for (const std::string& key : keys) {
            const std::uint64_t values = read_count(at);
            const std::uint64_t value_bytes = bytes_of_value(key, types);
            at += sizeof values;
            if (values > (file_.size() - at) / value_bytes) fail_cut_off(key);
            storages_.emplace(key, Place{at, values * value_bytes});
            at += values * value_bytes;
        }
    }

    std::uint64_t read_count(std::uint64_t at) {
        std::array<std::byte, 8> bytes{};
        file_.seek(std::min(at, file_.size()));
        file_.read_all(bytes, "the size of a storage");
        std::uint64_t count = 0;
        for (std::size_t i = bytes.size(); i-- > 0;) count = count << 8 | std::to_integer<std::uint64_t>(bytes[i]);
        return count;
    }

    [[nodiscard]] std::uint64_t bytes_of_value(const std::string& key,
                                               const std::map<std::string, std::string>& types) const {
        const auto type = types.find(key);
        const std::string_view name = type == types.end() ? "" : std::string_view(type->second);
        for (const auto& [known, bytes] : bytes_by_type)
            if (known == name) return bytes;
        base::fail(file_.where(), "holds the storage " + base::in_quotes(key) + " of type " + base::in_quotes(name) +
                                      ", which no tensor of a model needs; save the model "
                                      "again as model.safetensors");
    }

    [[noreturn]] void fail_cut_off(const std::string& key) const {
        base::fail(file_.where(), "breaks off in the storage " + base::in_quotes(key) + "; download the file again");
    }

    base::File file_;
    std::string start_;  // with the pickles
    std::map<std::string, Place> storages_;
};

std::unique_ptr<TorchArchive> open_archive(const std::string& path) {
    std::array<char, 2> start{};
    (void)base::File(path).read(std::as_writable_bytes(std::span(start)));
    if (start == std::array{'P', 'K'}) return std::make_unique<TorchZip>(path);
    return std::make_unique<TorchStream>(path);
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
