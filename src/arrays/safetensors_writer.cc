#include "arrays/safetensors_writer.h"

#include <bit>
#include <nlohmann/json.hpp>

#include "arrays/safetensors_header.h"
#include "base/failure.h"
#include "base/file.h"

namespace wordbreadth::arrays {

// The length below, and the values as they lie in memory.
static_assert(std::endian::native == std::endian::little);

std::string safetensors_header(std::span<const MatrixShape> matrices, const Metadata& metadata) {
    // Put together by hand: nlohmann's ordered object looks through all its keys for each new one.
    std::string json = "{";
    if (!metadata.empty())
        json += "\"__metadata__\":" + nlohmann::json(metadata).dump() + (matrices.empty() ? "" : ",");
    std::uint64_t begin = 0;
    for (const auto& [name, rows, columns] : matrices) {
        const std::uint64_t end = begin + rows * columns * sizeof(float);
        if (&name != &matrices.front().name) json += ',';
        json += nlohmann::json(name).dump() + R"(:{"dtype":"F32","shape":[)" + std::to_string(rows) + "," +
                std::to_string(columns) + R"(],"data_offsets":[)" + std::to_string(begin) + "," + std::to_string(end) +
                "]}";
        begin = end;
    }
    json += '}';
    json.append((64 - (sizeof(std::uint64_t) + json.size()) % 64) % 64, ' ');
    const std::uint64_t length = json.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + json;
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
        if (!value.is_string()) base::fail(path, "its metadata " + base::in_quotes(name) + " is no text");
        metadata[name] = value.get<std::string>();
    }
    return metadata;
}

}  // namespace wordbreadth::arrays
