// Tensors of a pytorch_model.bin, in either of the two forms that torch has written.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays/array_file.h"
#include "arrays/zip.h"
#include "base/failure.h"
#include "base/file.h"
#include "encoder/snapshot/pickle.h"
#include "encoder/snapshot/tensors.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

using namespace std::string_view_literals;

struct StorageType {
    std::string_view name;
    std::uint64_t value_bytes;
    std::optional<arrays::Element> element;  // of those that can be read
};
constexpr auto storage_types = std::to_array<StorageType>({
    {"FloatStorage", 4, arrays::Element::f32},
    {"HalfStorage", 2, arrays::Element::f16},
    {"BFloat16Storage", 2, arrays::Element::bf16},
    {"DoubleStorage", 8, arrays::Element::f64},
    {"LongStorage", 8, {}},
    {"IntStorage", 4, {}},
    {"ShortStorage", 2, {}},
    {"CharStorage", 1, {}},
    {"ByteStorage", 1, {}},
    {"BoolStorage", 1, {}},
});

// Null when it is none of them.
const StorageType* find_type(std::string_view name) {
    const auto* found = std::ranges::find(storage_types, name, &StorageType::name);
    return found == storage_types.end() ? nullptr : found;
}

struct Storage {
    std::uint64_t place;  // a member of the archive, or a byte of the file
    std::uint64_t bytes;
};

struct TorchFile {
    StateDict tensors;                        // which there are, and where in which storage each lies
    std::map<std::string, Storage> storages;  // that the file holds
    // Reads a tensor, called `where` in messages, from byte `offset` of a storage that is large enough.
    std::function<void(const Storage& storage, std::uint64_t offset, const std::string& where, arrays::Element type,
                       std::span<float> into)>
        read;
};

void skip(base::Bytes& bytes, std::uint64_t count) {
    std::array<std::byte, 65536> piece;
    while (count > 0) {
        const std::size_t now = std::min<std::uint64_t>(count, piece.size());
        bytes.read_all(std::span(piece).first(now), "a storage");
        count -= now;
    }
}

// torch stores and never packs, so that a size is backed by bytes of the file.
std::map<std::string, Storage> members_of(const arrays::Zip& archive, const std::string& path) {
    const std::uint64_t file_bytes = base::File(path).size();
    if (archive.entries() > limits::archive_entries)
        base::fail(path, "holds more than " + std::to_string(limits::archive_entries) + " members");
    std::map<std::string, Storage> members;
    for (std::uint64_t i = 0; i < archive.entries(); ++i) {
        const arrays::ZipEntry entry = archive.entry(i);
        if (entry.deflated || entry.size > file_bytes)
            base::fail(
                path + ":" + base::in_quotes(entry.name),
                "is packed, or larger than the file; torch stores its members as they are: save the model again");
        members.emplace(entry.name, Storage{i, entry.size});
    }
    return members;
}

// As torch has written it since version 1.6: a zip archive with a pickle that lists the tensors, and a member for each
// storage.
TorchFile open_zip(const std::string& path) {
    constexpr std::string_view list_name = "/data.pkl";
    const auto archive = std::make_shared<arrays::Zip>(path);
    const auto members = members_of(*archive, path);
    const auto list = std::ranges::find_if(members, [&](const auto& one) { return one.first.ends_with(list_name); });
    if (list == members.end())
        base::fail(path, "holds no data.pkl, the list of tensors; expected a model that torch.save wrote");
    if (list->second.bytes > limits::pickle_bytes)
        base::fail(path, "holds a data.pkl of " + std::to_string(list->second.bytes) + " bytes; at most " +
                             std::to_string(limits::pickle_bytes) + " are accepted");
    const std::string where = path + ":data.pkl";
    std::string bytes(list->second.bytes, '\0');
    archive->open(list->second.place, where).read_all(std::as_writable_bytes(std::span(bytes)), "data.pkl");

    TorchFile file;
    std::size_t at = 0;
    file.tensors = read_state_dict(where, bytes, at);
    const std::string folder = list->first.substr(0, list->first.size() - list_name.size()) + "/data/";
    for (const auto& [name, member] : members)
        if (name.starts_with(folder)) file.storages.emplace(name.substr(folder.size()), member);
    file.read = [archive](const Storage& storage, std::uint64_t offset, const std::string& tensor, arrays::Element type,
                          std::span<float> into) {
        arrays::ZipMember member = archive->open(storage.place, tensor);
        skip(member, offset);
        read_floats(member, tensor, type, into);
    };
    return file;
}

// The storages of these keys, one after the other from byte `at` on, each behind the number of its values.
std::map<std::string, Storage> find_storages(base::File& file, const StateDict& tensors,
                                             const std::vector<std::string>& keys, std::uint64_t at) {
    std::map<std::string, std::string> types;
    for (const auto& [name, tensor] : tensors) types.emplace(tensor.storage, tensor.storage_type);
    std::map<std::string, Storage> storages;
    for (const std::string& key : keys) {
        std::uint64_t values = 0;  // little-endian, as is every machine that this is built for
        file.seek(std::min(at, file.size()));
        file.read_all(std::as_writable_bytes(std::span(&values, 1)), "the size of a storage");
        const StorageType* type = find_type(types[key]);
        if (type == nullptr)
            base::fail(file.where(), "holds the storage " + base::in_quotes(key) + " of type " +
                                         base::in_quotes(types[key]) +
                                         ", which no tensor of a model needs; save the model again as "
                                         "model.safetensors");
        at += sizeof values;
        if (values > (file.size() - at) / type->value_bytes)
            base::fail(file.where(), "ends in the storage " + base::in_quotes(key) + "; download the file again");
        storages.emplace(key, Storage{at, values * type->value_bytes});
        at += values * type->value_bytes;
    }
    return storages;
}

// As torch wrote it before version 1.6, and transformers for some time after: a magic number, a version, a description
// of the machine, the list of tensors and the keys of the storages, each of them a pickle; then the storages in the
// order of their keys.
TorchFile open_stream(const std::string& path) {
    // 0x1950a86a20f9469cfc6c and 1001, pickled.
    constexpr std::string_view head = "\x80\x02\x8A\x0Al\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19.\x80\x02M\xE9\x03."sv;
    const auto bytes = std::make_shared<base::File>(path);
    std::string start(std::min<std::uint64_t>(bytes->size(), limits::pickle_bytes), '\0');  // with the pickles
    bytes->read_all(std::as_writable_bytes(std::span(start)), "the file");
    if (!start.starts_with(head))
        base::fail(path,
                   "is not a model that torch.save wrote; download the file again, or save the model as "
                   "model.safetensors");
    TorchFile file;
    std::size_t at = head.size();
    skip_pickle(path, start, at);
    file.tensors = read_state_dict(path, start, at);
    const std::vector<std::string> keys = read_texts(path, start, at);
    file.storages = find_storages(*bytes, file.tensors, keys, at);
    file.read = [bytes](const Storage& storage, std::uint64_t offset, const std::string& tensor, arrays::Element type,
                        std::span<float> into) {
        bytes->seek(storage.place + offset);
        read_floats(*bytes, tensor, type, into);
    };
    return file;
}

bool rows_lie_together(const TorchTensor& tensor) {
    std::uint64_t expected = 1;
    for (std::size_t i = tensor.shape.size(); i-- > 0;) {
        if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
        if (__builtin_mul_overflow(expected, tensor.shape[i], &expected)) return false;
    }
    return true;
}

// How many values of its storage a tensor reaches over, from its first to its last; nothing where that does not fit 64
// bits.
std::optional<std::uint64_t> reach_of(const TorchTensor& tensor) {
    if (std::ranges::count(tensor.shape, 0U) > 0) return 0;
    std::uint64_t reach = 1;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        std::uint64_t along = 0;
        if (__builtin_mul_overflow(tensor.shape[i] - 1, tensor.strides[i], &along)) return std::nullopt;
        if (__builtin_add_overflow(reach, along, &reach)) return std::nullopt;
    }
    return reach;
}

// The one that has all values of the tensor, and as many as its shape says: where strides are 0, values are there once.
const Storage& storage_of(const TorchFile& file, const std::string& where, const TorchTensor& tensor,
                          std::uint64_t value_bytes) {
    const auto found = file.storages.find(tensor.storage);
    if (found == file.storages.end())
        base::fail(where, "lies in the storage " + base::in_quotes(tensor.storage) +
                              ", which the file does not hold; download the file again");
    const std::uint64_t values = found->second.bytes / value_bytes;
    const auto needed = arrays::checked_product(tensor.shape, 1), reach = reach_of(tensor);
    const bool all_lie_in_it = reach && tensor.offset <= values && *reach <= values - tensor.offset;
    if (!needed || !all_lie_in_it || *needed > values - tensor.offset)
        base::fail(where,
                   "has the shape " + arrays::to_text(tensor.shape) + " and the strides " +
                       arrays::to_text(tensor.strides) + " from value " + std::to_string(tensor.offset) +
                       " on, but its storage holds " + std::to_string(values) + " values; " +
                       (all_lie_in_it ? "save the model again as model.safetensors" : "download the file again"));
    return found->second;
}

// Of the values that a tensor reaches over, its own, the last index first.
void gather(const TorchTensor& tensor, std::span<const float> reached, std::span<float> into) {
    std::vector<std::uint64_t> index(tensor.shape.size());
    std::uint64_t at = 0;
    for (float& value : into) {
        value = reached[at];
        for (std::size_t axis = index.size(); axis-- > 0;) {
            at += tensor.strides[axis];
            if (++index[axis] < tensor.shape[axis]) break;
            at -= tensor.shape[axis] * tensor.strides[axis];
            index[axis] = 0;
        }
    }
}

// Of a tensor whose storage has been checked. Models that were converted from TensorFlow have transposed weights, whose
// columns lie together.
auto reader_of(const TorchFile& file, const std::string& where, const TorchTensor& tensor, const StorageType& type) {
    const Storage storage = storage_of(file, where, tensor, type.value_bytes);
    return [read = file.read, storage, where, tensor, type](std::span<float> into) {
        const std::uint64_t offset = tensor.offset * type.value_bytes;
        if (rows_lie_together(tensor)) return read(storage, offset, where, *type.element, into);
        std::vector<float> reached(reach_of(tensor).value_or(0));
        read(storage, offset, where, *type.element, reached);
        gather(tensor, reached, into);
    };
}

}  // namespace

TensorSource open_torch_file(const std::string& path) {
    std::array<char, 2> start{};
    (void)base::File(path).read(std::as_writable_bytes(std::span(start)));
    const TorchFile file = start == std::array{'P', 'K'} ? open_zip(path) : open_stream(path);
    TensorSource source{path};
    for (const auto& [name, tensor] : file.tensors) {
        StoredTensor stored{path + ":" + name, tensor.shape, {}};
        const StorageType* type = find_type(tensor.storage_type);
        if (type != nullptr && type->element) {
            stored.read = reader_of(file, stored.where, tensor, *type);
        } else {
            stored.read = [where = stored.where, name_of_type = tensor.storage_type](std::span<float>) {
                base::fail(where, "holds values of torch." + name_of_type +
                                      "; expected FloatStorage, HalfStorage or BFloat16Storage");
            };
        }
        source.tensors.emplace(name, std::move(stored));
    }
    return source;
}

}  // namespace wordbreadth::encoder::snapshot
