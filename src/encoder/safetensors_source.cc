// Tensors of one .safetensors file.
#include <utility>

#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/file.h"
#include "encoder/tensors.h"

namespace wordbreadth::encoder {

namespace {

arrays::Element element_of(const std::string& where, const std::string& type) {
    if (type == "F16") return arrays::Element::float16;
    if (type == "BF16") return arrays::Element::bfloat16;
    if (type == "F32") return arrays::Element::float32;
    if (type == "F64") return arrays::Element::float64;
    base::fail(where, "holds values of type " + base::in_quotes(type) +
                          "; expected F32, F16 or BF16: a quantised model must be converted back");
}

// The file again, called by the tensor that is being read.
class NamedBytes : public base::Bytes {
  public:
    NamedBytes(base::File& file, std::string where) : file_(file), where_(std::move(where)) {}
    std::size_t read(std::span<std::byte> into) override { return file_.read(into); }
    [[nodiscard]] const std::string& where() const override { return where_; }

  private:
    base::File& file_;
    std::string where_;
};

class SafetensorsSource : public TensorSource {
  public:
    explicit SafetensorsSource(const std::string& path)
        : file_(path), header_(arrays::read_safetensors_header(file_)) {}

    [[nodiscard]] bool contains(const std::string& name) const override { return header_.tensors.contains(name); }
    [[nodiscard]] std::string where(const std::string& name) const override {
        return contains(name) ? file_.where() + ":" + name : file_.where();
    }
    [[nodiscard]] arrays::Shape shape(const std::string& name) const override { return header_.tensors.at(name).shape; }

    void read(const std::string& name, std::span<float> into) override {
        const arrays::Tensor& tensor = header_.tensors.at(name);
        NamedBytes bytes(file_, where(name));
        const arrays::Element type = element_of(bytes.where(), tensor.type);
        file_.seek(header_.data_begin + tensor.begin);
        read_floats(bytes, type, into);
    }

  private:
    base::File file_;
    arrays::SafetensorsHeader header_;
};

}  // namespace

std::unique_ptr<TensorSource> open_safetensors_file(const std::string& path) {
    return std::make_unique<SafetensorsSource>(path);
}

}  // namespace wordbreadth::encoder
