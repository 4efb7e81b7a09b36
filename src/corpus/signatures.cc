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
    Signature{"\xFF\xFE"sv, "is UTF-16; convert it, for example with iconv -f UTF-16 -t UTF-8"},
    Signature{"\xFE\xFF"sv, "is UTF-16; convert it, for example with iconv -f UTF-16 -t UTF-8"},
};

}  // namespace

std::string_view sign_of_binary(std::string_view start) {
    for (const Signature& signature : signatures) {
        if (start.starts_with(signature.bytes)) return signature.reason;
    }
    if (start.size() > 262 && start.substr(257, 5) == "ustar") return "is a tar archive; unpack it and name the folder";
    if (start.find('\0') != std::string_view::npos) return "is a binary file; expected text";
    return {};
}

}  // namespace wordbreadth::corpus
