#include "store/npy.h"

#include <filesystem>

#include "store/failure.h"
#include "store/file.h"
#include "store/names.h"
#include "store/npy_header.h"

namespace wordbreadth::store {

namespace {

void require_size(const std::string& where, const NpyHeader& header, std::uint64_t size) {
    const auto expected = checked_product(header.shape, bytes_of(header.type));
    if (!expected) fail(where, "announces the shape " + to_text(header.shape) + ", which no file can hold");
    const std::uint64_t found = size < header.bytes ? 0 : size - header.bytes;
    if (found == *expected) return;
    fail(where, "announces the shape " + to_text(header.shape) + ", " + std::to_string(*expected) +
                    " bytes, but holds " + std::to_string(found) + " bytes of values; save or copy it again");
}

class NpyFile : public ArrayFile {
  public:
    explicit NpyFile(const std::string& path) : file_(path), name_(std::filesystem::path(path).stem().string()) {
        require_good_name(path, name_);
        require_size(path, read_npy_header(file_), file_.size());
    }

    std::vector<std::string> names() const override { return {name_}; }

    Array read(const std::string& name) override {
        if (name != name_) fail_missing(file_.where(), name, {name_});
        file_.seek(0);
        return read_npy(file_, name_, file_.size());
    }

  private:
    File file_;
    std::string name_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_npy(const std::string& path) {
    return std::make_unique<NpyFile>(path);
}

Array read_npy(Bytes& source, std::string name, std::uint64_t size) {
    const NpyHeader header = read_npy_header(source);
    require_size(source.where(), header, size);
    return read_matrix(source, std::move(name), header.type, header.order, header.shape);
}

}  // namespace wordbreadth::store
