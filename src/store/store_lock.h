// Keeps a second process from writing to the same store.
#pragma once

#include <string>

#include "base/made_folder.h"
#include "store/lock_owner.h"

namespace wordbreadth::store {

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
