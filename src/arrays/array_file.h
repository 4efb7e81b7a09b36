// A file of named arrays, whatever its format; and what the formats share: element types, the shape that an array
// announces before anything is believed about it, and matrices as they are read, where they lie in a mapped file or
// into memory, and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "wordbreadth/cloud.h"

namespace wordbreadth::arrays {

using wordbreadth::Element;  // all little-endian

[[nodiscard]] std::size_t bytes_of(Element type);

struct Array {
    std::string name;
    std::size_t rows = 0;
    std::size_t columns = 0;
    Element element = Element::f32;
    // (rows, columns), row after row whatever the file's order, aligned. Shares what they lie in: memory, or a mapped
    // file.
    std::shared_ptr<const std::byte> values = {};
    std::vector<std::uint64_t> blocks = {};  // (rows) which of them belong together; empty where that is not known

    // Cannot wrap: rows and columns are within the limits.
    [[nodiscard]] std::size_t bytes() const { return rows * columns * bytes_of(element); }
};

struct MatrixSize {
    std::size_t rows = 0;
    std::size_t columns = 0;
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
    // not a matrix of float16, bfloat16, float32 or float64, or when it is malformed. Threads may share the file.
    [[nodiscard]] virtual Array read(const std::string& name) = 0;

    // The rows and columns of one array, without its values. Throws as read() does, but for what only these show.
    [[nodiscard]] virtual MatrixSize size_of(const std::string& name) {
        const Array array = read(name);
        return {array.rows, array.columns};
    }
};

// Opens a file by its ending, .npy, .npz or .safetensors, and checks all that can be checked without reading values.
// Throws InputError when the file is missing or malformed, has another ending, or holds another format than it says.
[[nodiscard]] std::unique_ptr<ArrayFile> open_array_file(const std::string& path);

// ---- for the formats

// Converts into.size() values of `type`. Every conversion is exact.
void widen(const std::byte* from, Element type, std::span<double> into);

// The same, each times `factor` and then divided by `divisor`: two roundings.
void widen_scaled(const std::byte* from, Element type, double factor, double divisor, std::span<double> into);

// Reads into.size() values of `type` and converts them, a small piece at a time, so that the raw bytes are never all in
// memory. Throws InputError when the source ends before.
void read_values(base::Bytes& source, Element type, std::span<double> into);

using Shape = std::vector<std::uint64_t>;

// The product of `shape` and `unit` (the size of one element), or nothing when it does not fit 64 bits. Every size that
// comes out of a file is computed here.
[[nodiscard]] std::optional<std::uint64_t> checked_product(std::span<const std::uint64_t> shape, std::uint64_t unit);

// "(3, 4)", as numpy writes it.
[[nodiscard]] std::string to_text(const Shape& shape);

// Throws InputError, naming `where`, when the shape has more dimensions than limits::array_rank.
void require_rank_within_limit(const std::string& where, const Shape& shape);

enum class Order { rows, columns };  // what lies together in the file: a row (C) or a column (Fortran)

// Throws InputError, naming `where`, unless the shape is that of a cloud, (rows, dimension), both within the limits.
[[nodiscard]] MatrixSize matrix_size(const std::string& where, const Shape& shape);

// Reads the array `name` of `shape` from where `source` stands. The caller has made sure that the source really holds
// that many values: the memory is taken in one go. Throws InputError, naming the source, unless the shape is that of a
// cloud, (rows, dimension), both within the limits; and when the source cannot be read.
[[nodiscard]] Array read_matrix(base::Bytes& source, std::string name, Element type, Order order, const Shape& shape);

// The array at `offset` of a file, by rows, where it is mapped; a copy where it is not aligned there. The caller has
// made sure that the file holds it. Throws InputError, naming `where`, as read_matrix().
using SharedFile = std::shared_ptr<const base::MappedFile>;
[[nodiscard]] Array mapped_matrix(const SharedFile& file, std::uint64_t offset, const std::string& where,
                                  std::string name, Element type, const Shape& shape);

// A float32 matrix to be written.
struct MatrixShape {
    std::string name;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};

// The values of a matrix, by its index; asked for once each, in order. They must stay until the next is asked for.
using MatrixValues = std::function<std::span<const float>(std::size_t matrix)>;

}  // namespace wordbreadth::arrays
