// A file for one test, gone when the test is over.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

class TemporaryFile {
  public:
    // Its name ends with `ending`.
    TemporaryFile(std::string_view ending, std::string_view content) {
        static std::atomic<int> made = 0;
        const std::string name = "wordbreadth-" + std::to_string(getpid()) + "-" + std::to_string(made++);
        path_ = (std::filesystem::temp_directory_path() / (name + std::string(ending))).string();
        write(content);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

    // Replaces the file: truncating one instead would wait for the disk on ext4, each time.
    void write(std::string_view content) const {
        std::filesystem::remove(path_);
        std::ofstream(path_, std::ios::binary).write(content.data(), std::ssize(content));
    }

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};
