// The functions for one algorithm, which OpenSSL 3 advises against: only they show the state that two hashes are added
// to at once.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/sha256.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/sha256_pair.h"
#include "wordbreadth/error.h"

namespace wordbreadth::base {

namespace {

void require(int success) {
    if (success != 1) throw std::runtime_error("OpenSSL cannot compute SHA-256 here");
}

// Takes from the front of `bytes` what fills the block that the hash has begun; or all, where that is less.
std::span<const std::byte> block_filling(const SHA256_CTX& state, std::span<const std::byte>& bytes) {
    const std::size_t missing = state.num == 0 ? 0 : SHA256_CBLOCK - state.num;
    const std::span<const std::byte> filling = bytes.first(std::min(missing, bytes.size()));
    bytes = bytes.subspan(filling.size());
    return filling;
}

// The length of a message, in bits: 64 of them, in two halves.
void count(SHA256_CTX& state, std::uint64_t bytes) {
    const std::uint64_t bits = (std::uint64_t{state.Nh} << 32 | state.Nl) + bytes * 8;
    state.Nl = static_cast<SHA_LONG>(bits);
    state.Nh = static_cast<SHA_LONG>(bits >> 32);
}

}  // namespace

void Sha256::Free::operator()(SHA256state_st* state) const {
    delete state;
}

Sha256::Sha256() : state_(std::make_unique<SHA256_CTX>().release()) {
    require(SHA256_Init(state_.get()));
}

void Sha256::add(std::span<const std::byte> bytes) {
    require(SHA256_Update(state_.get(), bytes.data(), bytes.size()));
}

void add_to_both(Sha256& first, std::span<const std::byte> of_first, Sha256& second,
                 std::span<const std::byte> of_second, bool at_once) {
    static const bool is_possible = has_sha256_pair();
    if (at_once && is_possible) {
        SHA256_CTX &one = *first.state_, &other = *second.state_;
        first.add(block_filling(one, of_first));
        second.add(block_filling(other, of_second));
        const std::size_t blocks = std::min(of_first.size(), of_second.size()) / SHA256_CBLOCK;
        // Where one has not filled its block, none of its bytes are left, and so there are no blocks.
        add_blocks_to_pair(one.h, of_first.data(), other.h, of_second.data(), blocks);
        count(one, blocks * SHA256_CBLOCK);
        count(other, blocks * SHA256_CBLOCK);
        of_first = of_first.subspan(blocks * SHA256_CBLOCK);
        of_second = of_second.subspan(blocks * SHA256_CBLOCK);
    }
    first.add(of_first);
    second.add(of_second);
}

std::string Sha256::digest() {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> raw{};
    require(SHA256_Final(raw.data(), state_.get()));
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : raw) (text += digits[byte >> 4]) += digits[byte & 15];
    return text;
}

std::string sha256_of(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.digest();
}

std::string sha256_of_file(const std::string& path, const std::stop_token& stop) {
    File file(path);
    Sha256 hash;
    std::vector<std::byte> piece(1 << 20);
    while (const std::size_t size = file.read(piece)) {
        if (stop.stop_requested()) throw Cancelled();
        hash.add(std::span(piece).first(size));
    }
    return hash.digest();
}

std::string sha256_of_part(File& file, std::uint64_t offset, std::uint64_t bytes) {
    file.seek(offset);
    Sha256 hash;
    std::vector<std::byte> piece(std::min<std::uint64_t>(bytes, 1 << 20));
    while (bytes > 0) {
        const auto next = std::span(piece).first(std::min<std::uint64_t>(bytes, piece.size()));
        file.read_all(next, "its values");
        hash.add(next);
        bytes -= next.size();
    }
    return hash.digest();
}

}  // namespace wordbreadth::base
