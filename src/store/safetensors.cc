#include "store/safetensors.h"

#include <array>

#include "store/failure.h"
#include "store/file.h"
#include "store/matrix.h"
#include "store/names.h"
#include "store/safetensors_header.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::store {

namespace {

constexpr std::uint64_t length_bytes = 8;

// The file again, called by the tensor that is being read.
class TensorBytes : public Bytes {
  public:
    TensorBytes(File& file, std::string where) : file_(file), where_(std::move(where)) {}
    std::size_t read(std::span<std::byte> into) override { return file_.read(into); }
    const std::string& where() const override { return where_; }

  private:
    File& file_;
    std::string where_;
};

Element element_of(const std::string& where, const std::string& type) {
    if (type == "F16") return Element::float16;
    if (type == "BF16") return Element::bfloat16;
    if (type == "F32") return Element::float32;
    if (type == "F64") return Element::float64;
    fail(where, "holds values of type " + in_quotes(type) +
                    "; expected F16, BF16, F32 or F64: convert it, or name only the clouds to read");
}

std::uint64_t read_header_length(File& file) {
    std::array<unsigned char, length_bytes> raw{};
    file.read_all(std::as_writable_bytes(std::span(raw)), "the length of the .safetensors header");
    std::uint64_t length = 0;
    for (std::size_t i = raw.size(); i-- > 0;) length = length << 8 | raw[i];
    if (length > limits::safetensors_header_bytes) {
        fail(file.where(), "announces a .safetensors header of " + std::to_string(length) + " bytes; at most " +
                               std::to_string(limits::safetensors_header_bytes) + " are accepted");
    }
    if (length > file.size() - length_bytes) {
        fail(file.where(), "announces a .safetensors header of " + std::to_string(length) + " bytes, but only " +
                               std::to_string(file.size() - length_bytes) + " follow; copy or save the file again");
    }
    return length;
}

class SafetensorsFile : public ArrayFile {
  public:
    explicit SafetensorsFile(const std::string& path) : file_(path) {
        std::string json(read_header_length(file_), '\0');
        file_.read_all(std::as_writable_bytes(std::span(json)), "the .safetensors header");
        data_begin_ = length_bytes + json.size();
        tensors_ = parse_safetensors_header(path, json, file_.size() - data_begin_);
    }

    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const auto& [name, tensor] : tensors_) names.push_back(name);
        return names;
    }

    Array read(const std::string& name) override {
        const auto found = tensors_.find(name);
        if (found == tensors_.end()) fail_missing(file_.where(), name, names());
        const Tensor& tensor = found->second;
        TensorBytes bytes(file_, file_.where() + ":" + name);
        const Element type = element_of(bytes.where(), tensor.type);
        file_.seek(data_begin_ + tensor.begin);
        return read_matrix(bytes, name, type, Order::rows, tensor.shape);
    }

  private:
    File file_;
    std::uint64_t data_begin_ = 0;
    Tensors tensors_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_safetensors(const std::string& path) {
    return std::make_unique<SafetensorsFile>(path);
}

}  // namespace wordbreadth::store
