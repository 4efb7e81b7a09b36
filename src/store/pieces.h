// Bytes of a mapped file that are checked piece by piece, each when it is first read: a file larger than memory is
// never read whole, and what was damaged is still no result.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/workers.h"

namespace wordbreadth::store {

// Of a piece; the last one of a file may be shorter. Small beside a cloud, and large beside its hash.
inline constexpr std::size_t piece_bytes = 64 * 1024;
inline constexpr std::size_t digest_bytes = 64;  // SHA-256, in hexadecimal digits

[[nodiscard]] constexpr std::uint64_t pieces_in(std::uint64_t bytes) {
    return bytes / piece_bytes + (bytes % piece_bytes == 0 ? 0 : 1);
}

// The SHA-256 of each piece, one after the other.
[[nodiscard]] std::string piece_hashes(std::span<const std::byte> bytes, base::Workers& workers);

class Pieces {
  public:
    using HashOf = std::function<std::string_view(std::uint64_t piece)>;

    // `damaged`: what is wrong with a file whose piece has not the hash that it should have. The bytes must outlive it.
    Pieces(std::string path, std::span<const std::byte> bytes, HashOf hash_of, std::string damaged);

    [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

    // Threads may share it. Throws InputError when these bytes are not those that were written, or not in the file.
    [[nodiscard]] std::span<const std::byte> read(std::uint64_t begin, std::uint64_t count) const;

  private:
    void check(std::uint64_t piece) const;
    [[noreturn]] void fail() const;

    std::string path_;
    std::span<const std::byte> bytes_;
    HashOf hash_of_;
    std::string damaged_;
    std::unique_ptr<std::atomic<bool>[]> is_good_;  // of each piece; several threads may find out at once
};

}  // namespace wordbreadth::store
