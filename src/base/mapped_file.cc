#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "base/file.h"

namespace wordbreadth::base {

MappedFile::MappedFile(const std::string& path) {
    const std::size_t size = File(path).size();
    if (size == 0) return;
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    void* const start = descriptor < 0 ? MAP_FAILED : mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    if (start == MAP_FAILED) fail(path, "cannot be mapped into memory: " + std::generic_category().message(error));
    bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace wordbreadth::base
