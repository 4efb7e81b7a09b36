#include "arrays/array_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "arrays/npy.h"
#include "arrays/safetensors.h"
#include "base/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {

// The files are little-endian; so is every machine that this is built for.
static_assert(std::endian::native == std::endian::little);

namespace {

constexpr std::size_t piece_bytes = 64 * 1024;

template <typename Raw>
Raw load(const std::byte* from) {
    Raw raw;
    std::memcpy(&raw, from, sizeof raw);
    return raw;
}

// By hand: g++ 12 has no portable float16, and no library we use converts one. Without branches, so that a compiler can
// convert several at a time.
double from_float16(std::uint16_t half) {
    const std::uint32_t magnitude = (half & 0x7FFFU) << 13;  // a float32 whose exponent is 127 - 15 too small
    const float finite = std::bit_cast<float>(magnitude) * 0x1p112F;
    const std::uint32_t bits =
        (half & 0x7C00U) == 0x7C00U ? magnitude | 0x7F800000U : std::bit_cast<std::uint32_t>(finite);
    return std::bit_cast<float>(bits | (half & 0x8000U) << 16);
}

double from_bfloat16(std::uint16_t upper_half_of_a_float32) {
    return std::bit_cast<float>(std::uint32_t{upper_half_of_a_float32} << 16);
}

template <typename Raw, typename Convert>
void convert_each(const std::byte* from, std::span<double> into, Convert convert) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = convert(load<Raw>(from + i * sizeof(Raw)));
}

// then(value) of every value of `type`, widened.
template <typename Then>
void widen_each(const std::byte* from, Element type, std::span<double> into, Then then) {
    switch (type) {
        case Element::f16:
            return convert_each<std::uint16_t>(from, into, [=](std::uint16_t x) { return then(from_float16(x)); });
        case Element::bf16:
            return convert_each<std::uint16_t>(from, into, [=](std::uint16_t x) { return then(from_bfloat16(x)); });
        case Element::f32:
            return convert_each<float>(from, into, [=](float x) { return then(double{x}); });
        case Element::f64:
            return convert_each<double>(from, into, then);
    }
}

void require_matrix(const std::string& where, const Shape& shape) {
    if (shape.size() != 2) {
        base::fail(where,
                   "has shape " + to_text(shape) +
                       "; a cloud has 2 dimensions, (vectors, dimension): reshape it, or name only the clouds to read");
    }
    if (shape[0] > limits::rows_of_a_pair) {
        base::fail(where, "has " + std::to_string(shape[0]) + " rows; at most " +
                              std::to_string(limits::rows_of_a_pair) + " are accepted: take a sample of them");
    }
    if (shape[1] > limits::dimension) {
        base::fail(where, "has dimension " + std::to_string(shape[1]) + "; at most " +
                              std::to_string(limits::dimension) + " is accepted");
    }
}

// Some columns at a time, so that every row receives a whole cache line of neighbours instead of single values.
constexpr std::size_t columns_together = 8;

void read_columns(base::Bytes& source, const Array& array, std::byte* values) {
    const std::size_t width = bytes_of(array.element);
    std::vector<std::byte> block;  // (columns of the block, rows)
    for (std::size_t first = 0; first < array.columns; first += columns_together) {
        const std::size_t columns = std::min(columns_together, array.columns - first);
        block.resize(columns * array.rows * width);
        source.read_all(block, "its values");
        for (std::size_t row = 0; row < array.rows; ++row) {
            std::byte* to = values + (row * array.columns + first) * width;
            for (std::size_t k = 0; k < columns; ++k, to += width)
                std::memcpy(to, &block[(k * array.rows + row) * width], width);
        }
    }
}

// A real file may still be too large for the machine: that is for the user to put right, like everything else here.
std::shared_ptr<std::byte[]> room_for(const std::string& where, std::size_t bytes) {
    try {
        return std::make_shared_for_overwrite<std::byte[]>(bytes);
    } catch (const std::bad_alloc&) {
        base::fail(where, "needs " + std::to_string(bytes) + " bytes of memory, more than is available");
    }
}

struct Format {
    std::string_view ending;
    bool (*looks_like)(std::string_view first_bytes, std::uint64_t file_size);
    std::unique_ptr<ArrayFile> (*open)(const std::string& path);
};

bool looks_like_safetensors(std::string_view first, std::uint64_t file_size) {
    std::uint64_t header_bytes = 0;
    if (first.size() <= sizeof header_bytes || first[sizeof header_bytes] != '{') return false;
    std::memcpy(&header_bytes, first.data(), sizeof header_bytes);
    return header_bytes < file_size;
}

bool looks_like_zip(std::string_view first, std::uint64_t) {
    return first.starts_with("PK\x03\x04") || first.starts_with("PK\x05\x06");
}

constexpr std::array formats{
    Format{".npy", [](std::string_view first, std::uint64_t) { return first.starts_with("\x93NUMPY"); }, open_npy},
    Format{".npz", looks_like_zip, open_npz},
    Format{".safetensors", looks_like_safetensors, open_safetensors},
};

const Format& format_by_ending(const std::string& path) {
    for (const Format& format : formats) {
        if (path.ends_with(format.ending)) return format;
    }
    base::fail(path, "its name has no known extension; expected .npy, .npz or .safetensors");
}

const Format* format_by_content(base::File& file) {
    std::array<char, 9> first{};
    const std::size_t size = file.read(std::as_writable_bytes(std::span(first)));
    for (const Format& format : formats) {
        if (format.looks_like(std::string_view(first.data(), size), file.size())) return &format;
    }
    return nullptr;
}

// A file of no known content goes to the reader of its ending, which says best what is wrong with it.
void require_honest_ending(base::File& file, const Format& said) {
    if (file.size() == 0) base::fail(file.where(), "is empty; expected a " + std::string(said.ending) + " file");
    const Format* found = format_by_content(file);
    if (found == nullptr || found == &said) return;
    base::fail(file.where(),
               "says " + std::string(said.ending) + " but holds " + std::string(found->ending) + "; rename it");
}

}  // namespace

void widen(const std::byte* from, Element type, std::span<double> into) {
    widen_each(from, type, into, [](double value) { return value; });
}

void widen_scaled(const std::byte* from, Element type, double factor, double divisor, std::span<double> into) {
    widen_each(from, type, into, [=](double value) { return value * factor / divisor; });
}

std::size_t bytes_of(Element type) {
    return type == Element::f64 ? 8 : type == Element::f32 ? 4 : 2;
}

void read_values(base::Bytes& source, Element type, std::span<double> into) {
    std::array<std::byte, piece_bytes> piece;
    const std::size_t width = bytes_of(type);
    while (!into.empty()) {
        const std::size_t count = std::min(into.size(), piece.size() / width);
        source.read_all(std::span(piece).first(count * width), "its values");
        widen(piece.data(), type, into.first(count));
        into = into.subspan(count);
    }
}

std::optional<std::uint64_t> checked_product(std::span<const std::uint64_t> shape, std::uint64_t unit) {
    // A zero anywhere makes the product zero, even where the other factors alone would not fit.
    if (std::ranges::find(shape, 0U) != shape.end()) return 0;
    std::uint64_t product = unit;
    for (const std::uint64_t extent : shape) {
        if (__builtin_mul_overflow(product, extent, &product)) return std::nullopt;
    }
    return product;
}

std::string to_text(const Shape& shape) {
    std::string text = "(";
    for (const std::uint64_t extent : shape) text.append(text.size() > 1 ? ", " : "").append(std::to_string(extent));
    return text.append(shape.size() == 1 ? ",)" : ")");
}

void require_rank_within_limit(const std::string& where, const Shape& shape) {
    if (shape.size() <= limits::array_rank) return;
    base::fail(where, "has " + std::to_string(shape.size()) + " dimensions; at most " +
                          std::to_string(limits::array_rank) + " are accepted");
}

MatrixSize matrix_size(const std::string& where, const Shape& shape) {
    require_matrix(where, shape);
    return {shape[0], shape[1]};
}

Array read_matrix(base::Bytes& source, std::string name, Element type, Order order, const Shape& shape) {
    require_matrix(source.where(), shape);
    Array array{std::move(name), shape[0], shape[1], type};
    const std::shared_ptr<std::byte[]> values = room_for(source.where(), array.bytes());
    if (order == Order::rows) {
        source.read_all({values.get(), array.bytes()}, "its values");
    } else {
        read_columns(source, array, values.get());
    }
    array.values = {values, values.get()};
    return array;
}

Array mapped_matrix(const SharedFile& file, std::uint64_t offset, const std::string& where, std::string name,
                    Element type, const Shape& shape) {
    require_matrix(where, shape);
    Array array{std::move(name), shape[0], shape[1], type};
    const std::byte* const mapped = file->bytes().data() + offset;
    if (reinterpret_cast<std::uintptr_t>(mapped) % bytes_of(type) == 0) {
        array.values = {file, mapped};
        return array;
    }
    const std::shared_ptr<std::byte[]> copy = room_for(where, array.bytes());
    std::copy_n(mapped, array.bytes(), copy.get());
    array.values = {copy, copy.get()};
    return array;
}

std::unique_ptr<ArrayFile> open_array_file(const std::string& path) {
    base::File file(path);  // first: a wrong path is reported as such, whatever its ending
    const Format& format = format_by_ending(path);
    require_honest_ending(file, format);
    return format.open(path);
}

}  // namespace wordbreadth::arrays
