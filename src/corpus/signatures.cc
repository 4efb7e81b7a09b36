#include "corpus/signatures.h"

#include <array>

namespace wordbreadth::corpus {

namespace {

using namespace std::string_view_literals;

struct Signature {
    std::string_view bytes;
    std::string_view reason;
};

// What people put into a folder of texts, or pack them in.
constexpr std::array signatures{
    Signature{"%PDF"sv, "is a PDF file; save it as text first, for example with pdftotext"},
    Signature{"PK\x03\x04"sv, "is a zip archive or an office document; unpack it, or save it as text"},
    Signature{"BZh"sv, "is packed with bzip2; unpack it, or pack it with gzip instead"},
    Signature{"\xFD\x37zXZ\0"sv, "is packed with xz; unpack it, or pack it with gzip instead"},
    Signature{"\x28\xB5\x2F\xFD"sv, "is packed with zstd; unpack it, or pack it with gzip instead"},
};

std::size_t count_nul(std::string_view start, std::size_t unit_bytes) {
    std::size_t count = 0;
    for (std::size_t at = 0; at + unit_bytes <= start.size(); at += unit_bytes)
        if (start.substr(at, unit_bytes).find_first_not_of('\0') == std::string_view::npos) ++count;
    return count;
}

// Western text in UTF-16 has a NUL in most of its pairs of bytes, always on the same side.
std::string_view reason_for_nul(std::string_view start) {
    std::array<std::size_t, 2> found{};
    for (std::size_t i = 0; i < start.size(); ++i) found[i % 2] += start[i] == '\0' ? 1 : 0;
    if (found[0] == 0 && found[1] * 4 >= start.size())
        return "is a binary file, or UTF-16LE text without a byte order mark; if so, name this encoding";
    if (found[1] == 0 && found[0] * 4 >= start.size())
        return "is a binary file, or UTF-16BE text without a byte order mark; if so, name this encoding";
    return "is a binary file; expected text";
}

}  // namespace

std::string_view sign_of_binary(std::string_view start, std::size_t unit_bytes, bool nul_is_fine) {
    for (const Signature& signature : signatures) {
        if (start.starts_with(signature.bytes)) return signature.reason;
    }
    if (start.size() > 262 && start.substr(257, 5) == "ustar") return "is a tar archive; unpack it and name the folder";
    const std::size_t accepted = nul_is_fine ? start.size() / unit_bytes / 100 : 0;
    if (count_nul(start, unit_bytes) <= accepted) return {};
    return unit_bytes == 1 ? reason_for_nul(start) : "is a binary file; expected text";
}

}  // namespace wordbreadth::corpus
