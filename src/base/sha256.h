// SHA-256, which identifies models, settings and the files of a store: 64 hexadecimal digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

struct evp_md_ctx_st;  // OpenSSL's

namespace wordbreadth::base {

class File;

// Of bytes that come a piece at a time.
class Sha256 {
  public:
    Sha256();

    void add(std::span<const std::byte> bytes);
    [[nodiscard]] std::string digest();  // the last call

  private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

[[nodiscard]] std::string sha256_of(std::span<const std::byte> bytes);

// Of a file's bytes, read a piece at a time. Throws InputError when it cannot be read, Cancelled when stopped.
[[nodiscard]] std::string sha256_of_file(const std::string& path, const std::stop_token& stop = {});

// Of so many of its bytes, from `offset` on; these must be there.
[[nodiscard]] std::string sha256_of_part(File& file, std::uint64_t offset, std::uint64_t bytes);

}  // namespace wordbreadth::base
