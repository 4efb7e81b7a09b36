// A file that appears under its name only once it is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace wordbreadth::base {

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
    void rewrite(std::uint64_t offset, std::span<const std::byte> bytes);  // what was written before; no longer
    void keep();  // gives the file its name, in place of any file that has it, once it is safe on disk; the last call

  private:
    [[noreturn]] void refuse() const;

    std::string path_;
    std::string temporary_;
    int descriptor_ = -1;
};

}  // namespace wordbreadth::base
