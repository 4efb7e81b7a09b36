#include "store/store_lock.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "base/temporary.h"
#include "store/layout.h"

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
    const auto number = base::number_in<pid_t>(process);
    if (!number || *number <= 0) return true;  // not to be known
    return kill(*number, 0) == 0 || errno != ESRCH;
}

std::string now() {
    const std::time_t seconds = std::time(nullptr);
    std::tm parts{};
    std::array<char, 32> text{};
    gmtime_r(&seconds, &parts);
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

constexpr std::size_t most_bytes = 4096;
constexpr int most_tries = 100;  // of processes that come and go

[[noreturn]] void fail_to_make(const std::string& path) {
    base::fail(path, "cannot be made: " + std::generic_category().message(errno) +
                         "; expected a folder that can be written to");
}

// A file that is written once and closed. False when it is not, with errno.
bool write_whole(const std::string& path, const std::string& text, int exclusive) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | exclusive, 0666);
    if (descriptor < 0) return false;
    const bool written = write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int error = written ? 0 : errno;
    const bool closed = close(descriptor) == 0;
    if (!written) errno = error;
    return written && closed;
}

// The lock appears whole and at one moment, on network disks too: a second name of a file that is complete. Locks of
// the system (flock) are not to be relied on there. False when there is a lock already.
bool create(const std::string& path, const std::string& text) {
    const std::string temporary = base::temporary_name(path);
    if (!write_whole(temporary, text, O_TRUNC)) fail_to_make(temporary);
    const bool linked = link(temporary.c_str(), path.c_str()) == 0;
    const int error = errno;
    struct stat status {};
    const bool has_two_names = stat(temporary.c_str(), &status) == 0 && status.st_nlink == 2;
    unlink(temporary.c_str());
    // The answer to a link may be lost on the way from a server that has made it.
    if (linked || has_two_names) return true;
    if (error == EEXIST) return false;
    // A disk that knows no second names.
    if (write_whole(path, text, O_EXCL)) return true;
    if (errno == EEXIST) return false;
    fail_to_make(path);
}

// Nothing when there is no lock. Of one that cannot be read the owner is unknown.
std::optional<LockOwner> owner_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::error_code ignored;
    if (!file && !std::filesystem::exists(path, ignored)) return std::nullopt;
    std::string text(most_bytes, '\0');
    file.read(text.data(), std::ssize(text));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return lock_owner_in(text);
}

// Only one process of this machine at a time looks at a lock and removes it. Where a disk does not offer that, we do
// without: two would have to find the same dead process in the same instant.
class Turn {
  public:
    explicit Turn(const std::string& folder) : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
        if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
    }
    ~Turn() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    int descriptor_;
};

// Whether it is worth trying again.
bool remove_if_gone(const std::string& folder, const std::string& path) {
    const Turn turn(folder);
    const auto owner = owner_of(path);
    return !owner || (is_gone(*owner) && unlink(path.c_str()) == 0);
}

[[noreturn]] void fail_held(const std::string& folder, const std::string& path) {
    const LockOwner owner = owner_of(path).value_or(LockOwner{});
    const std::string who =
        owner.process.empty() ? "another process"
                              : "process " + owner.process + " on host " + owner.host + " (since " + owner.since + ")";
    base::fail(folder,
               who + " is writing to this store; wait until it is done or, if it no longer runs, remove " + path);
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

void require_unlocked(const std::string& folder) {
    const auto owner = owner_of(lock_path(folder));
    if (owner && !is_gone(*owner)) fail_held(folder, lock_path(folder));
}

StoreLock::StoreLock(const std::string& folder) : folder_(folder), path_(lock_path(folder)), owner_(this_process()) {
    for (int tries = 0; !create(path_, to_text(owner_)); ++tries)
        if (tries == most_tries || !remove_if_gone(folder, path_)) fail_held(folder, path_);
}

StoreLock::~StoreLock() {
    if (owner_of(path_) == owner_) unlink(path_.c_str());
}

}  // namespace wordbreadth::store
