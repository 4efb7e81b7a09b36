#include "report/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "wordbreadth/error.h"

namespace wordbreadth::report {
namespace {

std::string reason() {
    return std::generic_category().message(errno);
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
        if (written < 0) fail();
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void OutputFile::keep() {
    // Some file systems report a full disk only here.
    if (close(std::exchange(descriptor_, -1)) != 0) fail();
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
    temporary_.clear();
}

void OutputFile::fail() const {
    throw std::runtime_error(path_ + ": writing failed: " + reason());
}

}  // namespace wordbreadth::report
