#include "arrays/safetensors.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/names.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {

namespace {

constexpr std::uint64_t length_bytes = 8;

// All types of the format, since the place of every tensor is checked, read or not.
constexpr std::array<std::pair<std::string_view, std::uint64_t>, 22> bits_of_types{{
    {"BOOL", 8},    {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6},     {"U8", 8},          {"I8", 8},
    {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
    {"U16", 16},    {"F16", 16},    {"BF16", 16},   {"I32", 32},        {"U32", 32},        {"F32", 32},
    {"C64", 64},    {"F64", 64},    {"I64", 64},    {"U64", 64},
}};

std::uint64_t bits_of(const std::string& where, const std::string& type) {
    const auto* found = std::ranges::find(bits_of_types, type, [](const auto& known) { return known.first; });
    if (found == bits_of_types.end())
        base::fail(where, "has the type " + base::in_quotes(type) + ", which is no .safetensors type");
    return found->second;
}

void require_shape_fits_place(const std::string& where, const Tensor& tensor, std::uint64_t data_bytes) {
    const std::string place = "[" + std::to_string(tensor.begin) + ", " + std::to_string(tensor.end) + "]";
    if (tensor.begin > tensor.end || tensor.end > data_bytes) {
        base::fail(where, "its data_offsets " + place + " are not within the " + std::to_string(data_bytes) +
                              " bytes of data; copy or save the file again");
    }
    const auto bits = checked_product(tensor.shape, bits_of(where, tensor.type));
    if (!bits) base::fail(where, "announces the shape " + to_text(tensor.shape) + ", which no file can hold");
    if (*bits % 8 == 0 && *bits / 8 == tensor.end - tensor.begin) return;
    base::fail(where, "its shape " + to_text(tensor.shape) + " of " + tensor.type + " does not fill its data_offsets " +
                          place + "; save the file again");
}

void require_no_overlap_no_holes(const std::string& path, const Tensors& tensors, std::uint64_t data_bytes) {
    std::vector<const Tensors::value_type*> by_place;
    for (const auto& entry : tensors) by_place.push_back(&entry);
    std::ranges::sort(by_place, {}, [](const auto* e) { return std::pair(e->second.begin, e->second.end); });
    std::uint64_t end = 0;
    for (const auto* entry : by_place) {
        const auto& [name, tensor] = *entry;
        if (tensor.begin == end) {
            end = tensor.end;
            continue;
        }
        base::fail(path + ":" + name, "its data start at byte " + std::to_string(tensor.begin) +
                                          " but the tensor before ends at " + std::to_string(end) +
                                          (tensor.begin < end ? ": they overlap" : ": there is a hole"));
    }
    if (end == data_bytes) return;
    base::fail(path, "holds " + std::to_string(data_bytes) + " bytes of data, but its tensors end at " +
                         std::to_string(end) + "; save the file again");
}

std::uint64_t read_header_length(base::File& file) {
    std::array<unsigned char, length_bytes> raw{};
    file.read_all(std::as_writable_bytes(std::span(raw)), "the length of the .safetensors header");
    std::uint64_t length = 0;
    for (std::size_t i = raw.size(); i-- > 0;) length = length << 8 | raw[i];
    if (length > limits::safetensors_header_bytes) {
        base::fail(file.where(), "announces a .safetensors header of " + std::to_string(length) + " bytes; at most " +
                                     std::to_string(limits::safetensors_header_bytes) + " are accepted");
    }
    if (length > file.size() - length_bytes) {
        base::fail(file.where(), "announces a .safetensors header of " + std::to_string(length) + " bytes, but only " +
                                     std::to_string(file.size() - length_bytes) +
                                     " follow; copy or save the file again");
    }
    return length;
}

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

Tensors parse_safetensors_header(const std::string& path, std::string_view json, std::uint64_t data_bytes) {
    Tensors tensors = parse_safetensors_json(path, json);
    for (const auto& [name, tensor] : tensors) require_shape_fits_place(path + ":" + name, tensor, data_bytes);
    require_no_overlap_no_holes(path, tensors, data_bytes);
    if (tensors.empty()) base::fail(path, "holds no arrays");
    return tensors;
}

SafetensorsHeader read_safetensors_header(base::File& file) {
    std::string json(read_header_length(file), '\0');
    file.read_all(std::as_writable_bytes(std::span(json)), "the .safetensors header");
    const std::uint64_t data_begin = length_bytes + json.size();
    return {parse_safetensors_header(file.where(), json, file.size() - data_begin), data_begin};
}

Metadata read_metadata(const std::string& path) {
    base::File file(path);
    const std::uint64_t data_begin = read_safetensors_header(file).data_begin;
    file.seek(sizeof(std::uint64_t));
    std::string json(data_begin - sizeof(std::uint64_t), '\0');
    file.read_all(std::as_writable_bytes(std::span(json)), "the .safetensors header");
    const auto header = nlohmann::json::parse(json);
    Metadata metadata;
    if (!header.contains("__metadata__") || !header["__metadata__"].is_object()) return metadata;
    for (const auto& [name, value] : header["__metadata__"].items()) {
        if (!value.is_string()) base::fail(path, "its metadata " + base::in_quotes(name) + " is not a string");
        metadata[name] = value.get<std::string>();
    }
    return metadata;
}

std::unique_ptr<ArrayFile> open_safetensors(const std::string& path) {
    return std::make_unique<SafetensorsFile>(path);
}

}  // namespace wordbreadth::arrays
