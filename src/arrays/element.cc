#include "arrays/element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

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

// By hand: g++ 12 has no portable float16, and no library we use converts one.
double from_float16(std::uint16_t half) {
    const double sign = (half & 0x8000) != 0 ? -1.0 : 1.0;
    const int exponent = (half >> 10) & 0x1F;
    const int fraction = half & 0x3FF;
    if (exponent == 0) return sign * fraction * 0x1p-24;
    if (exponent < 0x1F)
        return sign * std::bit_cast<double>(std::uint64_t(exponent + 1008) << 52 | std::uint64_t(fraction) << 42);
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
}

double from_bfloat16(std::uint16_t upper_half_of_a_float32) {
    return std::bit_cast<float>(std::uint32_t{upper_half_of_a_float32} << 16);
}

template <typename Raw, typename Convert>
void convert_each(const std::byte* from, std::span<double> into, Convert convert) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = convert(load<Raw>(from + i * sizeof(Raw)));
}

}  // namespace

void widen(const std::byte* from, Element type, std::span<double> into) {
    switch (type) {
        case Element::float16:
            return convert_each<std::uint16_t>(from, into, from_float16);
        case Element::bfloat16:
            return convert_each<std::uint16_t>(from, into, from_bfloat16);
        case Element::float32:
            return convert_each<float>(from, into, [](float x) { return double{x}; });
        case Element::float64:
            return convert_each<double>(from, into, [](double x) { return x; });
    }
}

std::size_t bytes_of(Element type) {
    switch (type) {
        case Element::float16:
        case Element::bfloat16:
            return 2;
        case Element::float32:
            return 4;
        case Element::float64:
            break;
    }
    return 8;
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

}  // namespace wordbreadth::arrays
