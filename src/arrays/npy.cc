#include "arrays/npy.h"

#include <filesystem>

#include "arrays/npy_header.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/names.h"

namespace wordbreadth::arrays {

namespace {

void require_size(const std::string& where, const NpyHeader& header, std::uint64_t size) {
    const auto expected = checked_product(header.shape, bytes_of(header.type));
    if (!expected) base::fail(where, "announces the shape " + to_text(header.shape) + ", which no file can hold");
    const std::uint64_t found = size < header.bytes ? 0 : size - header.bytes;
    if (found == *expected) return;
    base::fail(where, "announces the shape " + to_text(header.shape) + ", " + std::to_string(*expected) +
                          " bytes, but holds " + std::to_string(found) + " bytes of values; save or copy it again");
}

class NpyFile : public ArrayFile {
  public:
    explicit NpyFile(const std::string& path) : file_(path), name_(std::filesystem::path(path).stem().string()) {
        base::require_good_name(path, name_);
        require_size(path, read_npy_header(file_), file_.size());
    }

    std::vector<std::string> names() const override { return {name_}; }

    Array read(const std::string& name) override {
        if (name != name_) base::fail_missing(file_.where(), name, {name_});
        file_.seek(0);
        return read_npy(file_, name_, file_.size());
    }

  private:
    base::File file_;
    std::string name_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_npy(const std::string& path) {
    return std::make_unique<NpyFile>(path);
}

Array read_npy(base::Bytes& source, std::string name, std::uint64_t size) {
    const NpyHeader header = read_npy_header(source);
    require_size(source.where(), header, size);
    return read_matrix(source, std::move(name), header.type, header.order, header.shape);
}

}  // namespace wordbreadth::arrays
