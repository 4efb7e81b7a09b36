#include "base/temporary.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <system_error>

#include "base/strings.h"

namespace wordbreadth::base {

namespace {

namespace fs = std::filesystem;

std::string in_hex(std::uint32_t number) {
    std::array<char, 8> digits{};
    for (std::size_t i = 0; i < digits.size(); ++i) digits[i] = "0123456789abcdef"[number >> (28 - 4 * i) & 15U];
    return {digits.data(), digits.size()};
}

// Which machine this is, which start of it, and which space of process numbers: containers have their own.
const std::string& this_system() {
    static const std::string found = [] {
        std::error_code ignored;
        std::string text;
        std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), text);
        text += fs::read_symlink("/proc/self/ns/pid", ignored).string();
        std::uint32_t hash = 2166136261U;  // FNV-1a
        for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
        return in_hex(hash);
    }();
    return found;
}

constexpr std::string_view mark = ".part-";

struct Maker {
    bool is_of_this_system = false, runs = false;  // of another system it is not known
};

std::optional<Maker> maker_of(std::string_view temporary) {
    const std::size_t at = temporary.rfind(mark);
    if (at == std::string_view::npos) return std::nullopt;
    temporary.remove_prefix(at + mark.size());
    const std::size_t dash = temporary.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    if (temporary.substr(dash + 1, this_system().size()) != this_system()) return Maker{};
    const auto process = number_in<pid_t>(temporary.substr(0, dash));
    return Maker{true, process && *process > 0 && (kill(*process, 0) == 0 || errno != ESRCH)};
}

}  // namespace

std::string temporary_name(const std::string& path) {
    return path + std::string(mark) + std::to_string(getpid()) + "-" + this_system() + "-" +
           in_hex(std::random_device()());
}

bool may_be_in_use(std::string_view temporary) {
    const auto maker = maker_of(temporary);
    return maker && (!maker->is_of_this_system || maker->runs);
}

bool is_in_use(std::string_view temporary) {
    const auto maker = maker_of(temporary);
    return maker && maker->runs;
}

}  // namespace wordbreadth::base
