// A folder to write into, which is gone again where nothing was written.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wordbreadth::base {

class MadeFolder {
  public:
    // Makes the folder, and those on the way to it, where they are missing. Throws InputError when it cannot be made.
    explicit MadeFolder(const std::string& path);

    // Removes what it made, where that is empty.
    ~MadeFolder();
    MadeFolder(const MadeFolder&) = delete;
    MadeFolder& operator=(const MadeFolder&) = delete;

  private:
    std::vector<std::filesystem::path> made_;  // the innermost first
};

}  // namespace wordbreadth::base
