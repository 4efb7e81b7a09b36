// A folder to write into, removed again if nothing was written.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wordbreadth::base {

class MadeFolder {
  public:
    // Makes the folder, and those on the way to it, where they are missing. Throws InputError when it cannot be made.
    explicit MadeFolder(const std::string& path);

    // Removes the folders it made that are empty.
    ~MadeFolder();
    MadeFolder(const MadeFolder&) = delete;
    MadeFolder& operator=(const MadeFolder&) = delete;

  private:
    std::vector<std::filesystem::path> made_;  // the innermost first
};

}  // namespace wordbreadth::base
