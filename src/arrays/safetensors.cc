#include "arrays/safetensors.h"

#include <utility>

#include "arrays/matrix.h"
#include "arrays/safetensors_header.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/names.h"

namespace wordbreadth::arrays {

namespace {

// The file again, called by the tensor that is being read.
class TensorBytes : public base::Bytes {
  public:
    TensorBytes(base::File& file, std::string where) : file_(file), where_(std::move(where)) {}
    std::size_t read(std::span<std::byte> into) override { return file_.read(into); }
    const std::string& where() const override { return where_; }

  private:
    base::File& file_;
    std::string where_;
};

Element element_of(const std::string& where, const std::string& type) {
    if (type == "F16") return Element::float16;
    if (type == "BF16") return Element::bfloat16;
    if (type == "F32") return Element::float32;
    if (type == "F64") return Element::float64;
    base::fail(where, "holds values of type " + base::in_quotes(type) +
                          "; expected F16, BF16, F32 or F64: convert it, or name only the clouds to read");
}

class SafetensorsFile : public ArrayFile {
  public:
    explicit SafetensorsFile(const std::string& path) : file_(path) {
        SafetensorsHeader header = read_safetensors_header(file_);
        data_begin_ = header.data_begin;
        tensors_ = std::move(header.tensors);
    }

    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const auto& [name, tensor] : tensors_) names.push_back(name);
        return names;
    }

    Array read(const std::string& name) override {
        const auto found = tensors_.find(name);
        if (found == tensors_.end()) base::fail_missing(file_.where(), name, names());
        const Tensor& tensor = found->second;
        TensorBytes bytes(file_, file_.where() + ":" + name);
        const Element type = element_of(bytes.where(), tensor.type);
        file_.seek(data_begin_ + tensor.begin);
        return read_matrix(bytes, name, type, Order::rows, tensor.shape);
    }

  private:
    base::File file_;
    std::uint64_t data_begin_ = 0;
    Tensors tensors_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_safetensors(const std::string& path) {
    return std::make_unique<SafetensorsFile>(path);
}

}  // namespace wordbreadth::arrays
