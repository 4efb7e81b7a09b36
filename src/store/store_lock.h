// Keeps a second process from writing to the same store.
#pragma once

#include <string>

#include "base/output_file.h"

namespace wordbreadth::store {

// A process that holds a lock, as the lock's file describes it.
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

// Throws InputError, naming the process, where a process has the lock or may have it.
void require_unlocked(const std::string& folder);

class StoreLock {
  public:
    // Makes the folder where there is none. A lock that a killed process of this machine left is taken over.
    // Throws InputError, naming the process and what to do, when another one has the lock or may have it, and when the
    // folder cannot be written to.
    explicit StoreLock(const std::string& folder);

    // Gives the lock back, and removes the folder where it made that and nothing came of it.
    ~StoreLock();
    StoreLock(const StoreLock&) = delete;
    StoreLock& operator=(const StoreLock&) = delete;

  private:
    base::MadeFolder folder_;
    std::string path_;
    LockOwner owner_;
};

}  // namespace wordbreadth::store
