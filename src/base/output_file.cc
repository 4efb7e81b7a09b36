#include "base/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "wordbreadth/error.h"

namespace wordbreadth::base {
namespace {

std::string reason() {
    return std::generic_category().message(errno);
}

// So that the new name, too, survives a crash of the machine. Some network disks refuse it, which is no error.
void sync_folder_of(const std::string& path) {
    const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    close(descriptor);
}

}  // namespace

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), temporary_(path_ + ".part-" + std::to_string(getpid())) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path_, ignored))
        throw InputError(path_ + ": is a folder; expected the name of a file");
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        throw InputError(path_ + ": cannot be written (" + reason() + "); name a file in a folder that can");
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) refuse();
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void OutputFile::rewrite(std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) refuse();
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
}

void OutputFile::keep() {
    // Some file systems report a full disk only here. Without the first call a crash of the machine could leave an
    // empty file under the name; some things that can be written to, such as pipes, know no such call.
    if (fsync(descriptor_) != 0 && errno != EINVAL) refuse();
    if (close(std::exchange(descriptor_, -1)) != 0) refuse();
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) refuse();
    temporary_.clear();
    sync_folder_of(path_);
}

void OutputFile::refuse() const {
    throw InputError(path_ + ": writing failed: " + reason() + "; nothing that was there before is lost");
}

}  // namespace wordbreadth::base
