#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/failure.h"

namespace wordbreadth::base {

bool Bytes::append_to(std::string& text, std::size_t bytes) {
    const std::size_t before = text.size();
    text.resize(before + bytes);
    const std::size_t found = read(std::as_writable_bytes(std::span(text).subspan(before)));
    text.resize(before + found);
    return found == bytes;
}

void Bytes::read_all(std::span<std::byte> into, const char* what) {
    const std::size_t found = read(into);
    if (found == into.size()) return;
    fail(where(), "cut off in " + std::string(what) + ": " + std::to_string(found) + " bytes left where " +
                      std::to_string(into.size()) + " were expected; copy or save the file again");
}

File::File(const std::string& path, std::string name) : name_(std::move(name)) {
    // Asked before opening: opening a pipe would wait for its writer, and a folder opens but cannot be read.
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) fail_to_open(name_, "no such file", ENOENT);
    if (error) fail_to_open(name_, "cannot be accessed: " + error.message(), error.value());
    if (!std::filesystem::is_regular_file(status))
        fail_to_open(name_, "not a regular file; expected an array file",
                     std::filesystem::is_directory(status) ? EISDIR : EINVAL);
    stream_.open(path, std::ios::binary);
    if (!stream_) fail_to_open(name_, "cannot be opened for reading; check its permissions", errno);
    stream_.seekg(0, std::ios::end);
    const auto end = static_cast<std::streamoff>(stream_.tellg());
    if (!stream_ || end < 0) fail(name_, "its size cannot be determined");
    size_ = static_cast<std::uint64_t>(end);
    seek(0);
}

void File::seek(std::uint64_t offset) {
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(offset));
    if (!stream_) fail(name_, "cannot be read at byte " + std::to_string(offset));
}

std::size_t File::read(std::span<std::byte> into) {
    stream_.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
    if (stream_.bad()) fail_to_open(name_, "cannot be read: the disk or network reported an error", EIO);
    return static_cast<std::size_t>(stream_.gcount());
}

MappedFile::MappedFile(const std::string& path) {
    const std::size_t size = File(path).size();
    if (size == 0) return;
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    void* const start = descriptor < 0 ? MAP_FAILED : mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    if (start == MAP_FAILED)
        fail_to_open(path, "cannot be mapped into memory: " + std::generic_category().message(error), error);
    bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

void MappedFile::forget() const {
    if (!bytes_.empty()) madvise(const_cast<std::byte*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace wordbreadth::base
