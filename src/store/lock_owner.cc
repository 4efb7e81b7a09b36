#include "store/lock_owner.h"

#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace wordbreadth::store {

namespace {

// What the lines of a lock's file are called.
constexpr std::array<std::pair<std::string_view, std::string LockOwner::*>, 6> fields{{
    {"host", &LockOwner::host},
    {"process", &LockOwner::process},
    {"started", &LockOwner::started},
    {"boot", &LockOwner::boot},
    {"processes", &LockOwner::processes},
    {"since", &LockOwner::since},
}};

std::string host_name() {
    std::array<char, HOST_NAME_MAX + 1> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string boot_of_machine() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

std::string space_of_process_numbers() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
}

struct ProcessState {
    char state = 0;
    std::string started;
};

// From /proc: the state is the 3rd field, the start the 22nd; the 2nd, in brackets, may hold anything.
std::optional<ProcessState> state_of(const std::string& process) {
    std::ifstream file("/proc/" + process + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t bracket = text.rfind(')');
    if (bracket == std::string::npos) return std::nullopt;
    std::istringstream rest(text.substr(bracket + 1));
    ProcessState found;
    rest >> found.state;
    for (int field = 4; field <= 22; ++field) rest >> found.started;
    return rest ? std::optional(found) : std::nullopt;
}

bool exists(const std::string& process) {
    pid_t number = 0;
    const auto [end, error] = std::from_chars(process.data(), process.data() + process.size(), number);
    if (error != std::errc() || number <= 0) return true;  // not to be known
    return kill(number, 0) == 0 || errno != ESRCH;
}

std::string now() {
    const std::time_t seconds = std::time(nullptr);
    std::tm parts{};
    std::array<char, 32> text{};
    gmtime_r(&seconds, &parts);
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

}  // namespace

LockOwner this_process() {
    const std::string process = std::to_string(getpid());
    const auto state = state_of(process);
    return {host_name(), process, state ? state->started : "", boot_of_machine(), space_of_process_numbers(), now()};
}

std::string to_text(const LockOwner& owner) {
    std::string text;
    for (const auto& [name, value] : fields) text.append(name).append(": ").append(owner.*value).append("\n");
    return text;
}

LockOwner lock_owner_in(const std::string& text) {
    LockOwner owner;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        for (const auto& [name, value] : fields)
            if (line.starts_with(std::string(name) + ": ")) owner.*value = line.substr(name.size() + 2);
    return owner;
}

bool is_gone(const LockOwner& owner) {
    const LockOwner here = this_process();
    if (owner.host != here.host || owner.host.empty() || owner.boot.empty() || here.boot.empty()) return false;
    if (owner.boot != here.boot) return true;  // the machine was started anew
    if (owner.processes != here.processes) return false;
    if (!exists(owner.process)) return true;
    const auto state = state_of(owner.process);
    if (!state) return false;  // another user's, and not to be seen
    return state->state == 'Z' || state->state == 'X' || state->started != owner.started;
}

}  // namespace wordbreadth::store
