// A pytorch_model.bin in its zip form: a pickle that lists the tensors, and a member for each storage.
#include <algorithm>
#include <array>
#include <map>

#include "arrays/zip.h"
#include "base/failure.h"
#include "base/file.h"
#include "encoder/snapshot/tensors.h"
#include "encoder/snapshot/torch_archive.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::string_view list_name = "/data.pkl";

void skip(base::Bytes& bytes, std::uint64_t count) {
    std::array<std::byte, 65536> piece;
    while (count > 0) {
        const std::size_t now = std::min<std::uint64_t>(count, piece.size());
        bytes.read_all(std::span(piece).first(now), "a storage");
        count -= now;
    }
}

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

}  // namespace

std::unique_ptr<TorchArchive> open_torch_zip(const std::string& path) {
    return std::make_unique<TorchZip>(path);
}

}  // namespace wordbreadth::encoder::snapshot
