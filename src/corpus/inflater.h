// Unpacks a gzip file, all of its members one after the other (as pigz, bgzip and cat write them).
//
// Not through zlib's gzread(), which ends quietly where something else follows the last member.
#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace wordbreadth::corpus {

class Inflater {
  public:
    // `packed` starts with a gzip member and outlives the inflater.
    explicit Inflater(base::Bytes& packed);
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater();

    // As store::Bytes::read. Throws InputError when the data are damaged, break off, or something else follows them.
    std::size_t read(std::span<std::byte> into);

    // Packed bytes used so far.
    [[nodiscard]] std::uint64_t consumed() const { return taken_ - stream_.avail_in; }

  private:
    bool refill();
    bool find_next_member();
    void inflate_some();

    base::Bytes& packed_;
    z_stream stream_{};
    bool in_member_ = true;
    std::uint64_t taken_ = 0;
    std::array<std::byte, 64 * 1024> input_;
};

}  // namespace wordbreadth::corpus
