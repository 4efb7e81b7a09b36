// Small clouds in files, made by the test that reads them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays/npy.h"
#include "support/temporary.h"

namespace wordbreadth::cli {

struct Shape {
    std::size_t n = 0;
    std::size_t d = 8;
    double spread = 0.5;  // of the rows around a direction of their own: larger is broader
};

inline std::vector<double> cloud_values(unsigned seed, Shape shape) {
    std::mt19937 bits(seed);
    const auto uniform = [&] { return static_cast<double>(bits()) / 4294967296.0 - 0.5; };
    std::vector<double> centre(shape.d), values;
    for (double& value : centre) value = uniform();
    for (std::size_t i = 0; i < shape.n; ++i)
        for (std::size_t k = 0; k < shape.d; ++k) values.push_back(centre[k] + shape.spread * uniform());
    return values;
}

// Rows in opposite pairs, which cancel out: a cloud without a mean direction.
inline std::vector<double> cancelling_values(std::size_t d) {
    std::vector<double> values(2 * d * d, 0.0);
    for (std::size_t i = 0; i < 2 * d; ++i) values[i * d + i / 2] = i % 2 == 0 ? 1 : -1;
    return values;
}

inline std::string bytes_of(std::span<const double> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

inline std::string npy_bytes(const std::vector<double>& values, std::size_t d) {
    std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(values.size() / d) +
                       ", " + std::to_string(d) + "), }";
    text.resize(118, ' ');
    text.back() = '\n';
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + bytes_of(values);
}

// "bank" and "river", and one cloud of each kind that has no breadth, in byte order.
inline std::vector<std::pair<std::string, std::vector<double>>> bad_and_good_clouds() {
    std::vector<double> with_nan = cloud_values(3, {.n = 5});
    with_nan[9] = std::nan("");
    return {{"alike", std::vector<double>(3 * 8, 1.0)},
            {"bank", cloud_values(1, {.n = 20, .spread = 1.4})},
            {"empty", {}},
            {"flat", cancelling_values(8)},
            {"nan", with_nan},
            {"one", cloud_values(4, {.n = 1})},
            {"river", cloud_values(2, {.n = 22, .spread = 0.4})}};
}

// One cloud in an .npy file, gone with this object.
inline TemporaryFile npy_file(unsigned seed, Shape shape) {
    return TemporaryFile(".npy", npy_bytes(cloud_values(seed, shape), shape.d));
}

// Named clouds of d dimensions as the content of a .safetensors file.
inline std::string safetensors_bytes(const std::vector<std::pair<std::string, std::vector<double>>>& clouds,
                                     std::size_t d) {
    std::string header, data;
    for (const auto& [name, values] : clouds) {
        const std::size_t start = data.size();
        data += bytes_of(values);
        header += (header.empty() ? "{\"" : ",\"") + name + R"(":{"dtype":"F64","shape":[)" +
                  std::to_string(values.size() / d) + "," + std::to_string(d) + R"(],"data_offsets":[)" +
                  std::to_string(start) + "," + std::to_string(data.size()) + "]}";
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = header.size();
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes + header + data;
}

}  // namespace wordbreadth::cli
