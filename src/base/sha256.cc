#include "base/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "wordbreadth/error.h"

namespace wordbreadth::base {

namespace {

void require(int success) {
    if (success != 1) throw std::runtime_error("OpenSSL cannot compute SHA-256 here");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::add(std::span<const std::byte> bytes) {
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::string Sha256::digest() {
    std::array<unsigned char, 32> raw{};
    require(EVP_DigestFinal_ex(context_.get(), raw.data(), nullptr));
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
