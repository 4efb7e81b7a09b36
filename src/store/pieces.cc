#include "store/pieces.h"

#include <algorithm>
#include <utility>

#include "base/failure.h"
#include "base/sha256.h"

namespace wordbreadth::store {
namespace {

std::span<const std::byte> piece_of(std::span<const std::byte> bytes, std::uint64_t piece) {
    const std::uint64_t begin = piece * piece_bytes;
    return bytes.subspan(begin, std::min<std::uint64_t>(piece_bytes, bytes.size() - begin));
}

}  // namespace

std::string piece_hashes(std::span<const std::byte> bytes, base::Workers& workers) {
    std::string hashes(pieces_in(bytes.size()) * digest_bytes, '0');
    workers.run(pieces_in(bytes.size()), [&](std::size_t piece, std::size_t) {
        base::sha256_of(piece_of(bytes, piece)).copy(hashes.data() + piece * digest_bytes, digest_bytes);
    });
    return hashes;
}

Pieces::Pieces(std::string path, std::span<const std::byte> bytes, HashOf hash_of, std::string damaged)
    : path_(std::move(path)),
      bytes_(bytes),
      hash_of_(std::move(hash_of)),
      damaged_(std::move(damaged)),
      is_good_(std::make_unique<std::atomic<bool>[]>(pieces_in(bytes.size()))) {}

void Pieces::fail() const {
    base::fail(path_, damaged_);
}

void Pieces::check(std::uint64_t piece) const {
    if (is_good_[piece].load(std::memory_order_acquire)) return;
    if (base::sha256_of(piece_of(bytes_, piece)) != hash_of_(piece)) fail();
    is_good_[piece].store(true, std::memory_order_release);
}

std::span<const std::byte> Pieces::read(std::uint64_t begin, std::uint64_t count) const {
    if (begin > bytes_.size() || count > bytes_.size() - begin) fail();
    if (count == 0) return {};
    for (std::uint64_t piece = begin / piece_bytes; piece <= (begin + count - 1) / piece_bytes; ++piece) check(piece);
    return bytes_.subspan(begin, count);
}

}  // namespace wordbreadth::store
