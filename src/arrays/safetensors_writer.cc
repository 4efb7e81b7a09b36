#include <bit>
#include <nlohmann/json.hpp>

#include "arrays/safetensors.h"

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

void write_safetensors(base::OutputFile& file, std::span<const MatrixShape> matrices, const Metadata& metadata,
                       const MatrixValues& values) {
    const std::string header = safetensors_header(matrices, metadata);
    file.write(std::as_bytes(std::span(header)));
    for (std::size_t i = 0; i < matrices.size(); ++i) file.write(std::as_bytes(values(i)));
}

}  // namespace wordbreadth::arrays
