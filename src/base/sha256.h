// SHA-256, which identifies models, settings and the files of a store.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;

namespace wordbreadth::base {

class Sha256 {
  public:
    Sha256();

    void add(std::span<const std::byte> bytes);

    // 64 hexadecimal digits; the last call.
    [[nodiscard]] std::string digest();

  private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

[[nodiscard]] std::string sha256_of(std::span<const std::byte> bytes);

// Of a file's bytes, read a piece at a time. Throws InputError when it cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

}  // namespace wordbreadth::base
