#include "corpus/spool.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "corpus/failure.h"
#include "wordbreadth/error.h"

namespace wordbreadth::corpus {

namespace {

constexpr int milliseconds_between_looks = 200;  // at the request to stop

std::string reason() {
    return std::generic_category().message(errno);
}

int open_without_name(const std::string& folder) {
    std::string path = folder + "/wordbreadth-XXXXXX";
    const int file = mkostemp(path.data(), O_CLOEXEC);
    if (file >= 0) unlink(path.c_str());
    return file;
}

}  // namespace

Spool::Spool(int input, std::string name, const std::string& folder, const std::stop_token& stop)
    : name_(std::move(name)), folder_(folder), file_(open_without_name(folder)) {
    if (file_ < 0)
        fail(name_, "cannot be kept in " + folder_ + ": " + reason() + "; set TMPDIR to a folder with room for it");
    try {
        copy(input, stop);
    } catch (...) {
        close(file_);
        throw;
    }
}

Spool::~Spool() {
    close(file_);
}

void Spool::copy(int input, const std::stop_token& stop) {
    std::array<std::byte, 64 * 1024> piece;
    while (const std::size_t found = read_some(input, piece, stop)) write(std::span(piece).first(found));
}

// What there is, at least a byte; 0 at the end. A pipe may be silent for long, and a request to stop is heard then too.
std::size_t Spool::read_some(int input, std::span<std::byte> into, const std::stop_token& stop) const {
    for (;;) {
        if (stop.stop_requested()) throw Cancelled();
        pollfd state{input, POLLIN, 0};
        const int ready = poll(&state, 1, milliseconds_between_looks);
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        const ssize_t found = ::read(input, into.data(), into.size());
        if (found >= 0) return static_cast<std::size_t>(found);
        if (errno != EINTR && errno != EAGAIN) fail(name_, "cannot be read: " + reason());
    }
}

void Spool::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            fail(name_, "cannot be kept in " + folder_ + ": " + reason() + "; set TMPDIR to a folder with room for it");
        size_ += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

std::size_t Spool::read_at(std::uint64_t offset, std::span<std::byte> into) const {
    std::size_t filled = 0;
    while (filled < into.size()) {
        const ssize_t found =
            pread(file_, into.data() + filled, into.size() - filled, static_cast<off_t>(offset + filled));
        if (found == 0) break;
        if (found < 0 && errno != EINTR) fail(name_, "its copy cannot be read: " + reason());
        if (found > 0) filled += static_cast<std::size_t>(found);
    }
    return filled;
}

std::string folder_for_spool(const std::string& path) {
    const char* const chosen = std::getenv("TMPDIR");
    if (chosen != nullptr && *chosen != '\0') return chosen;
    if (path.empty()) return ".";
    std::error_code error;
    std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
    while (folder.has_relative_path() && !std::filesystem::is_directory(folder, error)) folder = folder.parent_path();
    return folder.string();
}

}  // namespace wordbreadth::corpus
