#include "arrays/safetensors.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/names.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {

namespace {

constexpr std::string_view metadata_key = "__metadata__";

// Depth 1 is the header, depth 2 a tensor (or the metadata), depth 3 its shape or data_offsets.
// The parser keeps its own stack, so that depth costs it no recursion; the limit bounds that stack.
class Events : public nlohmann::json_sax<nlohmann::json> {
  public:
    explicit Events(const std::string& path) : path_(path) {}

    SafetensorsHeader take() { return {std::move(tensors_), std::move(metadata_)}; }

    bool null() override { return other_value("null"); }
    bool boolean(bool) override { return other_value("a truth value"); }
    bool number_integer(number_integer_t value) override { return other_value(std::to_string(value)); }
    bool number_float(number_float_t, const string_t& text) override { return other_value(base::in_quotes(text)); }
    bool binary(binary_t&) override { return other_value("binary data"); }

    bool number_unsigned(number_unsigned_t value) override {
        if (skipped()) return true;
        if (depth_ != 3) return other_value(std::to_string(value));
        numbers_.push_back(value);
        // Stopped here and not at the end, so that a hostile list takes no memory.
        if (key_ == "shape") require_rank_within_limit(where(), numbers_);
        if (key_ == "data_offsets" && numbers_.size() > 2) base::fail(where(), "data_offsets has more than 2 numbers");
        return true;
    }

    bool string(string_t& value) override {
        if (in_metadata_ && depth_ == 2) metadata_[key_] = value;
        if (skipped()) return true;
        if (depth_ != 2 || key_ != "dtype") return other_value(base::in_quotes(value));
        tensor().type = value;
        return true;
    }

    bool key(string_t& value) override {
        if (depth_ == 1) {
            start_entry(value);
        } else if (depth_ == 2) {
            key_ = value;
            if (!keys_.insert(value).second && !in_metadata_)
                base::fail(where(), "has the key " + base::in_quotes(value) + " twice");
        }
        return true;
    }

    bool start_object(std::size_t) override {
        if (depth_ > 1 && !skipped()) return other_value("an object");
        enter();
        if (depth_ == 2) keys_.clear();
        return true;
    }

    bool end_object() override {
        if (depth_ == 2) end_entry();
        --depth_;
        return true;
    }

    bool start_array(std::size_t) override {
        const bool of_a_tensor = depth_ == 2 && (key_ == "shape" || key_ == "data_offsets");
        if (!skipped() && !of_a_tensor) return other_value("a list");
        enter();
        numbers_.clear();
        return true;
    }

    bool end_array() override {
        if (!skipped()) end_numbers();
        --depth_;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        base::fail(path_, "its header is not JSON from byte " + std::to_string(position) + " on; save the file again");
    }

  private:
    std::string where() const { return name_.empty() ? path_ : path_ + ":" + name_; }

    bool skipped() const { return in_metadata_ && depth_ > 1; }

    Tensor& tensor() { return tensors_[name_]; }

    bool other_value(const std::string& found) const {
        if (skipped()) return true;
        if (depth_ <= 1) base::fail(where(), "malformed header: found " + found + " where an object was expected");
        base::fail(where(), "malformed header: unexpected " + found + " under " + base::in_quotes(key_) +
                                "; a tensor has dtype, shape and data_offsets");
    }

    void enter() {
        if (++depth_ > limits::json_depth) {
            base::fail(path_,
                       "its header nests deeper than the " + std::to_string(limits::json_depth) + " levels accepted");
        }
    }

    void start_entry(const std::string& name) {
        in_metadata_ = name == metadata_key;
        name_ = name;
        key_.clear();
        if (in_metadata_ ? std::exchange(metadata_seen_, true) : tensors_.contains(name)) {
            base::fail(path_, "holds the name " + base::in_quotes(name) + " twice; save it again with different names");
        }
        if (in_metadata_) return;
        base::require_good_name(path_, name);
        if (tensors_.size() == limits::archive_entries) {
            base::fail(path_, "holds more than the " + std::to_string(limits::archive_entries) + " arrays accepted");
        }
        tensors_.try_emplace(name);
    }

    void end_entry() {
        if (!std::exchange(in_metadata_, false) && keys_ != std::set<std::string>{"data_offsets", "dtype", "shape"}) {
            base::fail(where(), "malformed header: expected the keys dtype, shape and data_offsets, and no others");
        }
    }

    void end_numbers() {
        if (key_ == "shape") {
            tensor().shape = std::move(numbers_);
        } else if (numbers_.size() == 2) {
            tensor().begin = numbers_[0];
            tensor().end = numbers_[1];
        } else {
            base::fail(where(), "data_offsets has " + std::to_string(numbers_.size()) + " numbers; expected 2");
        }
        numbers_ = {};
    }

    const std::string& path_;
    Tensors tensors_;
    Metadata metadata_;
    std::size_t depth_ = 0;
    bool in_metadata_ = false;
    bool metadata_seen_ = false;
    std::string name_;            // of the entry at depth 2
    std::string key_;             // in it
    std::set<std::string> keys_;  // all of them so far
    Shape numbers_;               // of the list at depth 3
};

constexpr std::uint64_t length_bytes = sizeof(std::uint64_t);

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
        base::fail(where, "has the type " + base::in_quotes(type) + ", which is not a .safetensors type");
    return found->second;
}

void require_shape_fits_place(const std::string& where, const Tensor& tensor, std::uint64_t data_bytes) {
    const std::string place = "[" + std::to_string(tensor.begin) + ", " + std::to_string(tensor.end) + "]";
    if (tensor.begin > tensor.end || tensor.end > data_bytes) {
        base::fail(where, "its data_offsets " + place + " are not within the " + std::to_string(data_bytes) +
                              " bytes of data; copy or save the file again");
    }
    const auto bits = checked_product(tensor.shape, bits_of(where, tensor.type));
    if (!bits) base::fail(where, "declares the shape " + to_text(tensor.shape) + ", which no file can hold");
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
    std::uint64_t length = 0;
    file.read_all(std::as_writable_bytes(std::span(&length, 1)), "the length of the .safetensors header");
    if (length > limits::safetensors_header_bytes) {
        base::fail(file.where(), "declares a .safetensors header of " + std::to_string(length) + " bytes; at most " +
                                     std::to_string(limits::safetensors_header_bytes) + " are accepted");
    }
    if (length > file.size() - length_bytes) {
        base::fail(file.where(), "declares a .safetensors header of " + std::to_string(length) + " bytes, but only " +
                                     std::to_string(file.size() - length_bytes) +
                                     " follow; copy or save the file again");
    }
    return length;
}

Element element_of(const std::string& where, const std::string& type) {
    if (type == "F16") return Element::f16;
    if (type == "BF16") return Element::bf16;
    if (type == "F32") return Element::f32;
    if (type == "F64") return Element::f64;
    base::fail(where, "holds values of type " + base::in_quotes(type) +
                          "; expected F16, BF16, F32 or F64: convert it, or name only the clouds to read");
}

class SafetensorsFile : public ArrayFile {
  public:
    explicit SafetensorsFile(const std::string& path) : path_(path), file_(std::make_shared<base::MappedFile>(path)) {
        base::File file(path);
        header_ = read_safetensors_header(file);
        if (file.size() != file_->bytes().size()) base::fail(path_, "was changed while it was opened; try again");
    }

    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const auto& [name, tensor] : header_.tensors) names.push_back(name);
        return names;
    }

    Array read(const std::string& name) override {
        const auto found = header_.tensors.find(name);
        if (found == header_.tensors.end()) base::fail_missing(path_, name, names());
        const Tensor& tensor = found->second;
        const std::string where = path_ + ":" + name;
        return mapped_matrix(file_, header_.data_begin + tensor.begin, where, name, element_of(where, tensor.type),
                             tensor.shape);
    }

    MatrixSize size_of(const std::string& name) override {
        const auto found = header_.tensors.find(name);
        if (found == header_.tensors.end()) base::fail_missing(path_, name, names());
        return matrix_size(path_ + ":" + name, found->second.shape);
    }

  private:
    std::string path_;
    SharedFile file_;
    SafetensorsHeader header_;
};

}  // namespace

SafetensorsHeader parse_safetensors_json(const std::string& path, std::string_view json) {
    // The format demands it, and it keeps out the byte order mark that the parser would skip.
    if (!json.starts_with('{')) base::fail(path, "its header does not start with '{' as a .safetensors header does");
    Events events(path);
    nlohmann::json::sax_parse(json, &events);
    return events.take();
}

SafetensorsHeader parse_safetensors_header(const std::string& path, std::string_view json, std::uint64_t data_bytes) {
    SafetensorsHeader header = parse_safetensors_json(path, json);
    for (const auto& [name, tensor] : header.tensors) require_shape_fits_place(path + ":" + name, tensor, data_bytes);
    require_no_overlap_no_holes(path, header.tensors, data_bytes);
    if (header.tensors.empty()) base::fail(path, "holds no arrays");
    return header;
}

SafetensorsHeader read_safetensors_header(base::File& file) {
    std::string json(read_header_length(file), '\0');
    file.read_all(std::as_writable_bytes(std::span(json)), "the .safetensors header");
    const std::uint64_t data_begin = length_bytes + json.size();
    SafetensorsHeader header = parse_safetensors_header(file.where(), json, file.size() - data_begin);
    header.data_begin = data_begin;
    return header;
}

std::unique_ptr<ArrayFile> open_safetensors(const std::string& path) {
    return std::make_unique<SafetensorsFile>(path);
}

std::string safetensors_header(std::span<const MatrixShape> matrices, const Metadata& metadata) {
    // Put together by hand: nlohmann's ordered object looks through all its keys for each new one.
    std::string json = "{";
    // Metadata may be paths, which may hold any bytes.
    if (!metadata.empty())
        json += "\"__metadata__\":" +
                nlohmann::json(metadata).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
                (matrices.empty() ? "" : ",");
    std::uint64_t begin = 0;
    for (const auto& [name, rows, columns] : matrices) {
        if (name == metadata_key)
            throw InputError(base::in_quotes(name) +
                             " cannot be the name of an array in a .safetensors file; rename it");
        const std::uint64_t end = begin + rows * columns * sizeof(float);
        if (&name != &matrices.front().name) json += ',';
        json += nlohmann::json(name).dump() + R"(:{"dtype":"F32","shape":[)" + std::to_string(rows) + "," +
                std::to_string(columns) + R"(],"data_offsets":[)" + std::to_string(begin) + "," + std::to_string(end) +
                "]}";
        begin = end;
    }
    json += '}';
    json.append((64 - (length_bytes + json.size()) % 64) % 64, ' ');
    const std::uint64_t length = json.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + json;
}

void write_safetensors(base::OutputFile& file, std::span<const MatrixShape> matrices, const Metadata& metadata,
                       const MatrixValues& values) {
    const std::string header = safetensors_header(matrices, metadata);
    file.write(std::as_bytes(std::span(header)));
    for (std::size_t i = 0; i < matrices.size(); ++i) file.write(std::as_bytes(values(i)));
}

}  // namespace wordbreadth::arrays
