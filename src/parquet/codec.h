// Compressed pages.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "parquet/format.h"

namespace wordbreadth::parquet {

// Bytes that are made and overwritten whole: without the zeros that a vector begins with.
class Buffer {
  public:
    // So many bytes of any value, in the memory that is there where it is enough.
    std::span<std::byte> resize(std::size_t bytes);
    [[nodiscard]] std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

  private:
    std::unique_ptr<std::byte[]> memory_;
    std::size_t size_ = 0, room_ = 0;
};

// With zstd, at the level that costs least.
[[nodiscard]] std::string compressed(std::string_view bytes);

// Fills `into`, which has the size that the page says it has. Throws InputError, naming `where`, when the bytes are
// not of the codec or unpack to another size, or the codec is not known.
void decompress(const std::string& where, Codec codec, std::span<const std::byte> bytes, std::span<std::byte> into);

}  // namespace wordbreadth::parquet
