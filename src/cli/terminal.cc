#include "cli/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

namespace wordbreadth::cli {
namespace {

bool is_smart_terminal(int descriptor) {
    const char* const kind = std::getenv("TERM");
    return isatty(descriptor) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

bool colour_is_wanted() {
    const char* const refusal = std::getenv("NO_COLOR");
    return refusal == nullptr || *refusal == '\0';
}

std::size_t columns(int descriptor) {
    winsize size{};
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

[[noreturn]] void fail(int error) {
    throw std::runtime_error("standard output: writing failed: " + std::generic_category().message(error));
}

}  // namespace

void check_standard_streams() {
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0) fail(errno);
    int descriptor = -1;
    do descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0) close(descriptor);
}

report::Style stdout_style() {
    if (!is_smart_terminal(STDOUT_FILENO)) return {};
    return {.colour = colour_is_wanted(), .width = columns(STDOUT_FILENO)};
}

bool stderr_is_a_terminal() {
    return is_smart_terminal(STDERR_FILENO);
}

void ErrorOutput::silence_the_rest() {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int kept = descriptor_ == STDERR_FILENO ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (kept >= 0 && nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0) descriptor_ = kept;
    if (nowhere >= 0) close(nowhere);
}

void ErrorOutput::print(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t written = write(descriptor_, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;  // no one is left to read it
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void print(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) fail(errno);
}

}  // namespace wordbreadth::cli
