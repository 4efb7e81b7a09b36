// The encodings that text may come in: all that ICU can convert.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wordbreadth/extract.h"

namespace wordbreadth::corpus {

inline constexpr std::string_view utf_8 = "UTF-8";

// How the bytes of a file become text.
struct Decoding {
    std::string encoding = std::string(utf_8);  // a name that encoding_named() gave
    InvalidBytes invalid = InvalidBytes::error;
};

// The one name of an encoding that has many, whose case and hyphens do not matter: "windows-1252" for "CP1252". Throws
// InputError, with the names most like it, when there is no such encoding.
[[nodiscard]] std::string encoding_named(const std::string& name);

// What the byte order mark at the start of a file says: UTF-8, UTF-16LE, ... Empty where there is none.
[[nodiscard]] std::string_view encoding_of_mark(std::string_view start);

// Of one code unit: 2 for UTF-16, 4 for UTF-32, else 1.
[[nodiscard]] std::size_t unit_bytes(const std::string& encoding);

}  // namespace wordbreadth::corpus
