// A file of named arrays, whatever its format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wordbreadth::arrays {

struct Array {
    std::string name;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double> values;              // (rows, columns), row after row, whatever the file's type and order
    std::vector<std::uint64_t> blocks = {};  // (rows) which of them belong together; empty where that is not known
};

class ArrayFile {
  public:
    ArrayFile() = default;
    ArrayFile(const ArrayFile&) = delete;
    ArrayFile& operator=(const ArrayFile&) = delete;
    virtual ~ArrayFile() = default;

    // At least one, all different, in byte order.
    [[nodiscard]] virtual std::vector<std::string> names() const = 0;

    // Reads one array. Throws InputError when the file has none of that name (listing close names), when the array is
    // not a matrix of float16, bfloat16, float32 or float64, or when it is malformed.
    [[nodiscard]] virtual Array read(const std::string& name) = 0;
};

// Opens a file by its ending, .npy, .npz or .safetensors, and checks all that can be checked without reading values.
// Throws InputError when the file is missing or malformed, has another ending, or holds another format than it says.
[[nodiscard]] std::unique_ptr<ArrayFile> open_array_file(const std::string& path);

}  // namespace wordbreadth::arrays
