#include "base/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "base/temporary.h"

namespace wordbreadth::base {

namespace fs = std::filesystem;

namespace {

std::string reason() {
    return std::generic_category().message(errno);
}

[[noreturn]] void refuse_name(const std::string& path, int error) {
    fail_to_open(path,
                 "cannot be written (" + std::generic_category().message(error) + "); name a file in a folder that can",
                 error);
}

[[noreturn]] void refuse_folder(const std::string& path, const std::error_code& error) {
    fail_to_open(path,
                 "cannot be made a folder: " + error.message() + "; name another, in a folder that can be written to",
                 error.value());
}

// From the outermost that is missing to the folder itself.
std::vector<fs::path> missing(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code ignored;
    for (fs::path path = folder; !fs::exists(path, ignored) && path != path.parent_path(); path = path.parent_path())
        folders.push_back(path);
    std::ranges::reverse(folders);
    return folders;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), temporary_(temporary_name(path_)) {
    std::error_code ignored;
    if (fs::is_directory(path_, ignored)) fail_to_open(path_, "is a folder; expected the name of a file", EISDIR);
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) refuse_name(path_, errno);
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
    rewrite(end_, bytes);
    end_ += bytes.size();
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

void OutputFile::reserve(std::uint64_t bytes) {
    if (fallocate(descriptor_, 0, 0, static_cast<off_t>(bytes)) != 0 && errno == ENOSPC) refuse();
}

void OutputFile::begin_sync() const {
#ifdef SYNC_FILE_RANGE_WRITE
    static_cast<void>(
        sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE));  // where it is refused, keep() does it
#endif
}

void OutputFile::keep(bool on_disk) {
    // Some file systems report a full disk only here.
    if (close(std::exchange(descriptor_, -1)) != 0) refuse();
    if (on_disk) sync();
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) refuse();
    temporary_.clear();
    if (on_disk) sync_folder(fs::absolute(path_).parent_path().string());
}

// Without it a crash of the machine could leave an empty file under the name. The file is opened again because a
// library may have put another one in its place; some file systems know no fsync.
void OutputFile::sync() {
    descriptor_ = open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0 || (fsync(descriptor_) != 0 && errno != EINVAL)) refuse();
}

void OutputFile::refuse() const {
    const int error = errno;
    fail_to_open(path_, "writing failed: " + reason() + "; nothing that was there before is lost", error);
}

void sync_folder(const std::string& folder) {
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    close(descriptor);
}

MadeFolder::MadeFolder(const std::string& path) {
    std::error_code error;
    fs::path folder = fs::absolute(path, error).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // it was named with a slash at its end
    std::error_code refused;                                    // the first: what follows from it says less
    for (const fs::path& each : missing(folder)) {
        if (fs::create_directory(each, error)) made_.insert(made_.begin(), each);
        if (!refused) refused = error;
    }
    if (!fs::is_directory(folder, error)) {
        if (!refused) refused = error ? error : std::make_error_code(std::errc::not_a_directory);
        refuse_folder(path, refused);
    }
}

MadeFolder::~MadeFolder() {
    std::error_code ignored;
    for (const fs::path& folder : made_) fs::remove(folder, ignored);
}

}  // namespace wordbreadth::base
