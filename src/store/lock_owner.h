// A process that holds a lock, as the lock's file describes it, and whether it still runs.
#pragma once

#include <string>

namespace wordbreadth::store {

struct LockOwner {
    std::string host;
    std::string process;    // its number
    std::string started;    // in ticks since the machine started: numbers are used again
    std::string boot;       // which start of the machine
    std::string processes;  // which space of process numbers: containers have their own
    std::string since;      // for people

    friend bool operator==(const LockOwner&, const LockOwner&) = default;
};

// Of this process. What the system does not tell is empty.
[[nodiscard]] LockOwner this_process();

[[nodiscard]] std::string to_text(const LockOwner& owner);
[[nodiscard]] LockOwner lock_owner_in(const std::string& text);  // what is missing is empty

// Whether the process surely does not run any more. Of another machine, or of another space of process numbers, that
// cannot be known.
[[nodiscard]] bool is_gone(const LockOwner& owner);

}  // namespace wordbreadth::store
