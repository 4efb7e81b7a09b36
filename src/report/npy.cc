#include "report/npy.h"

#include <bit>

namespace wordbreadth::report {

// '<f8' below, and the bytes of the values as they lie in memory.
static_assert(std::endian::native == std::endian::little);

std::string npy_header(std::size_t length) {
    constexpr std::size_t prefix = 10;  // magic, version, length of the text
    std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(length) + ",), }";
    text.append((64 - (prefix + text.size() + 1) % 64) % 64, ' ');
    text += '\n';
    std::string header = "\x93NUMPY";
    header += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return header + text;
}

void write_npy(base::OutputFile& file, std::span<const double> values) {
    const std::string header = npy_header(values.size());
    file.write(std::as_bytes(std::span(header)));
    file.write(std::as_bytes(values));
}

}  // namespace wordbreadth::report
