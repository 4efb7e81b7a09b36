// What the tests of the store share: fixtures, errors as text, and little files made by hand.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "arrays/array_file.h"
#include "support/errors.h"
#include "support/temporary.h"

namespace wordbreadth::arrays {

inline std::string fixture(const std::string& name) {
    return std::string(TESTS_DIR) + "/data/store/" + name;
}

// The files of tests/data/store, but not what makes them.
inline std::vector<std::string> good_files() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(fixture(""))) {
        if (entry.is_regular_file() && entry.path().extension() != ".py") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

// What all the (5, 3) matrices of tests/data/store/make.py hold.
inline std::vector<double> expected_matrix() {
    std::vector<double> values;
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 3; ++j) values.push_back(((7 * i + 3 * j) % 11 - 5) / 4.0);
    }
    return values;
}

inline std::vector<double> values_of(const Array& array) {
    std::vector<double> values(array.rows * array.columns);
    widen(array.values.get(), array.element, values);
    return values;
}

inline void expect_the_matrix(const Array& array, const std::string& name) {
    EXPECT_EQ(array.name, name);
    EXPECT_EQ(array.rows, 5U);
    EXPECT_EQ(array.columns, 3U);
    EXPECT_EQ(values_of(array), expected_matrix());
}

// Opens the file and reads every array of it.
inline void read_everything(const std::string& path) {
    const auto file = open_array_file(path);
    for (const std::string& name : file->names()) (void)file->read(name);
}

template <typename Number>
std::string little_endian(Number number) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof number; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
    return bytes;
}

// An .npy array of version 2, its header padded to `header_bytes` where that is more than it needs.
inline std::string npy(const std::string& descr, const std::string& shape, const std::string& values,
                       std::size_t header_bytes = 0) {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(std::max(header.size() + 1, header_bytes), ' ');
    header.back() = '\n';
    return std::string("\x93NUMPY\x02\0", 8) + little_endian(static_cast<std::uint32_t>(header.size())) + header +
           values;
}

inline std::string safetensors(const std::string& header, const std::string& data = {}) {
    return little_endian(std::uint64_t{header.size()}) + header + data;
}

}  // namespace wordbreadth::arrays
