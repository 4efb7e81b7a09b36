// Tensors of one .safetensors file.
#include <utility>

#include "encoder/tensors.h"
#include "store/failure.h"
#include "store/file.h"
#include "store/safetensors_header.h"

namespace wordbreadth::encoder {

namespace {

store::Element element_of(const std::string& where, const std::string& type) {
    if (type == "F16") return store::Element::float16;
    if (type == "BF16") return store::Element::bfloat16;
    if (type == "F32") return store::Element::float32;
    if (type == "F64") return store::Element::float64;
    store::fail(where, "holds values of type " + store::in_quotes(type) +
                           "; expected F32, F16 or BF16: a quantised model must be converted back");
}

// The file again, called by the tensor that is being read.
class NamedBytes : public store::Bytes {
  public:
    NamedBytes(store::File& file, std::string where) : file_(file), where_(std::move(where)) {}
    std::size_t read(std::span<std::byte> into) override { return file_.read(into); }
    [[nodiscard]] const std::string& where() const override { return where_; }

  private:
    store::File& file_;
    std::string where_;
};

class SafetensorsSource : public TensorSource {
  public:
    explicit SafetensorsSource(const std::string& path) : file_(path), header_(store::read_safetensors_header(file_)) {}

    [[nodiscard]] bool contains(const std::string& name) const override { return header_.tensors.contains(name); }
    [[nodiscard]] std::string where(const std::string& name) const override {
        return contains(name) ? file_.where() + ":" + name : file_.where();
    }
    [[nodiscard]] store::Shape shape(const std::string& name) const override { return header_.tensors.at(name).shape; }

    void read(const std::string& name, std::span<float> into) override {
        const store::Tensor& tensor = header_.tensors.at(name);
        NamedBytes bytes(file_, where(name));
        const store::Element type = element_of(bytes.where(), tensor.type);
        file_.seek(header_.data_begin + tensor.begin);
        read_floats(bytes, type, into);
    }

  private:
    store::File file_;
    store::SafetensorsHeader header_;
};

}  // namespace

std::unique_ptr<TensorSource> open_safetensors_file(const std::string& path) {
    return std::make_unique<SafetensorsSource>(path);
}

}  // namespace wordbreadth::encoder
