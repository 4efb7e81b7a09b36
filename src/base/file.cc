#include "base/file.h"

#include <filesystem>
#include <system_error>

#include "base/failure.h"

namespace wordbreadth::base {

namespace {

// Asked before opening: opening a pipe would wait for its writer, and a folder opens but cannot be read.
void require_regular_file(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) fail(path, "no such file");
    if (error) fail(path, "cannot be looked at: " + error.message());
    if (!std::filesystem::is_regular_file(status)) fail(path, "not a regular file; expected an array file");
}

}  // namespace

File::File(const std::string& path) : path_(path) {
    require_regular_file(path_);
    stream_.open(path_, std::ios::binary);
    if (!stream_) fail(path_, "cannot be opened for reading; check its permissions");
    stream_.seekg(0, std::ios::end);
    const auto end = static_cast<std::streamoff>(stream_.tellg());
    if (!stream_ || end < 0) fail(path_, "its size cannot be determined");
    size_ = static_cast<std::uint64_t>(end);
    seek(0);
}

void File::seek(std::uint64_t offset) {
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(offset));
    if (!stream_) fail(path_, "cannot be read at byte " + std::to_string(offset));
}

std::size_t File::read(std::span<std::byte> into) {
    stream_.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
    if (stream_.bad()) fail(path_, "cannot be read: the disk or network reported an error");
    return static_cast<std::size_t>(stream_.gcount());
}

}  // namespace wordbreadth::base
