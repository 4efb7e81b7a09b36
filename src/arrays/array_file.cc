#include "arrays/array_file.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "arrays/npy.h"
#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/file.h"

namespace wordbreadth::arrays {

namespace {

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
    base::fail(path, "its ending names no known format; expected .npy, .npz or .safetensors");
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

std::unique_ptr<ArrayFile> open_array_file(const std::string& path) {
    base::File file(path);  // first: a wrong path is reported as such, whatever its ending
    const Format& format = format_by_ending(path);
    require_honest_ending(file, format);
    return format.open(path);
}

}  // namespace wordbreadth::arrays
