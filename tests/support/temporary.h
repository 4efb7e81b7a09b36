// Files and folders for one test, gone when the test is over.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

// A name that nothing has yet.
inline std::string temporary_path(std::string_view ending = "") {
    static std::atomic<int> made = 0;
    const std::string name = "wordbreadth-" + std::to_string(getpid()) + "-" + std::to_string(made++);
    return (std::filesystem::temp_directory_path() / (name + std::string(ending))).string();
}

inline std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Replaces a file: truncating one instead would wait for the disk on ext4, each time.
inline void write_file(const std::filesystem::path& path, std::string_view content) {
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary).write(content.data(), std::ssize(content));
}

class TemporaryFile {
  public:
    // Its name ends with `ending`.
    TemporaryFile(std::string_view ending, std::string_view content) : path_(temporary_path(ending)) { write(content); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

    void write(std::string_view content) const { write_file(path_, content); }

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

class TemporaryFolder {
  public:
    TemporaryFolder() : path_(temporary_path()) { std::filesystem::create_directory(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    // Folders on the way are made.
    void add(const std::string& name, std::string_view content) const {
        const std::filesystem::path file = std::filesystem::path(path_) / name;
        std::filesystem::create_directories(file.parent_path());
        write_file(file, content);
    }

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};
