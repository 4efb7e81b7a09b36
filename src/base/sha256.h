// SHA-256, which identifies models, settings and the files of a store: 64 hexadecimal digits.
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>

namespace wordbreadth::base {

[[nodiscard]] std::string sha256_of(std::span<const std::byte> bytes);

// Of a file's bytes, read a piece at a time. Throws InputError when it cannot be read, Cancelled when stopped.
[[nodiscard]] std::string sha256_of_file(const std::string& path, const std::stop_token& stop = {});

}  // namespace wordbreadth::base
