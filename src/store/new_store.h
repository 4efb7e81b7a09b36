// A store that is written in one go: there is none before it is complete.
#pragma once

#include <string>

#include "base/output_file.h"

namespace wordbreadth::store {

class NewStore {
  public:
    // Makes the folder, and those on the way to it, where they are missing; removes what killed processes left in it.
    // Throws InputError when the folder holds anything else, a process writes to it or it cannot be written to.
    explicit NewStore(const std::string& folder);

    // Unless the store was kept, nothing is left of it, nor of the folders that were made.
    ~NewStore();
    NewStore(const NewStore&) = delete;
    NewStore& operator=(const NewStore&) = delete;

    // Where its files are to be written: a folder in the store's own, which may be a link, or a disk.
    [[nodiscard]] const std::string& temporary() const { return temporary_; }

    // Moves the files to where they belong, the plan last, which makes the folder a store. Throws InputError when
    // another process was quicker, or the system refuses. The last call. `on_disk`: as OutputFile::keep().
    void keep(bool on_disk = true);

  private:
    std::string folder_;
    base::MadeFolder made_;
    std::string temporary_;
};

}  // namespace wordbreadth::store
