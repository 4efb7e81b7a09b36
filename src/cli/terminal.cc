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

void print(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) fail(errno);
}

}  // namespace wordbreadth::cli
