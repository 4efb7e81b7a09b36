// A file mapped into memory, read only.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace wordbreadth::base {

class MappedFile {
  public:
    // Throws InputError when there is no regular file of that path, or it cannot be mapped.
    explicit MappedFile(const std::string& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  private:
    std::span<const std::byte> bytes_;
};

}  // namespace wordbreadth::base
