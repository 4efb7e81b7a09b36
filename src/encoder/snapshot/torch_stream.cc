// A pytorch_model.bin as torch wrote it before version 1.6, and transformers for some time after: a magic number, a
// version, a description of the machine, the list of tensors and the keys of the storages, each of them a pickle; then
// the storages in the order of their keys, each behind the number of its values.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/failure.h"
#include "base/file.h"
#include "encoder/snapshot/tensors.h"
#include "encoder/snapshot/torch_archive.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

using namespace std::string_view_literals;

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

// A tensor's part of the file, called by its name.
class Part : public base::Bytes {
  public:
    Part(base::File& file, std::uint64_t offset, const std::string& where) : file_(file), where_(where) {
        file_.seek(offset);
    }
    std::size_t read(std::span<std::byte> into) override { return file_.read(into); }
    [[nodiscard]] const std::string& where() const override { return where_; }

  private:
    base::File& file_;
    const std::string& where_;
};

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
        Part bytes(file_, storages_.at(storage).begin + offset * arrays::bytes_of(type), where);
        read_floats(bytes, type, into);
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

}  // namespace

std::unique_ptr<TorchArchive> open_torch_stream(const std::string& path) {
    return std::make_unique<TorchStream>(path);
}

}  // namespace wordbreadth::encoder::snapshot
