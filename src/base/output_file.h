// What is written: files that appear only once they are complete, and folders that go again if nothing came of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace wordbreadth::base {

// A file that appears under its name only once it is complete.
class OutputFile {
  public:
    // Creates a temporary file beside `path`, so that a folder that cannot be written to is reported before the work
    // whose result goes there. Throws InputError when it cannot be created.
    explicit OutputFile(std::string path);

    // Removes the temporary file, unless it was kept.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // All throw InputError, with path and reason, when the system refuses (a full disk).
    void write(std::span<const std::byte> bytes);
    void rewrite(std::uint64_t offset,
                 std::span<const std::byte> bytes);  // anywhere; different threads, different places
    // Room on the disk for so many bytes, before they are written anywhere among them: where the file system can do it,
    // that takes a quarter off the time of writing.
    void reserve(std::uint64_t bytes);

    // Gives the file its name, in place of any file that has it, once it is safe on disk; or at once, for what can be
    // made again and is known by a hash: a crash of the machine may then leave less of it. The last call.
    void keep(bool on_disk = true);

    // Asks the system to begin with putting on the disk what was written: keep() then waits less.
    void begin_sync() const;

    [[nodiscard]] const std::string& path() const { return path_; }

    // Where it lies until then, for libraries that write files by themselves.
    [[nodiscard]] const std::string& temporary() const { return temporary_; }

  private:
    void sync();
    [[noreturn]] void refuse() const;

    std::string path_;
    std::string temporary_;
    int descriptor_ = -1;
    std::uint64_t end_ = 0;  // of what was written
};

// So that the names of what is in it survive a crash of the machine, too. Some network disks refuse it, which is no
// error.
void sync_folder(const std::string& folder);

// A folder to write into, removed again if nothing was written.
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
