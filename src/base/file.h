// A file on disk, read from front to back or from any place.
#pragma once

#include <cstdint>
#include <fstream>

#include "base/bytes.h"

namespace wordbreadth::base {

class File : public Bytes {
  public:
    // Throws InputError when there is no regular file of that path or it may not be read.
    explicit File(const std::string& path);

    std::size_t read(std::span<std::byte> into) override;
    [[nodiscard]] const std::string& where() const override { return path_; }

    [[nodiscard]] std::uint64_t size() const { return size_; }

    // The next read() starts at `offset`, which is at most size().
    void seek(std::uint64_t offset);

  private:
    std::string path_;
    std::ifstream stream_;
    std::uint64_t size_ = 0;
};

}  // namespace wordbreadth::base
