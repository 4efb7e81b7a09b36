// SHA-256, which identifies models, settings and the files of a store: 64 hexadecimal digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

struct SHA256state_st;  // OpenSSL's

namespace wordbreadth::base {

class File;

// Of bytes that come a piece at a time.
class Sha256 {
  public:
    Sha256();

    void add(std::span<const std::byte> bytes);
    [[nodiscard]] std::string digest();  // the last call

  private:
    friend void add_to_both(Sha256&, std::span<const std::byte>, Sha256&, std::span<const std::byte>, bool);

    struct Free {
        void operator()(SHA256state_st* state) const;
    };
    std::unique_ptr<SHA256state_st, Free> state_;
};

// first.add(of_first) and second.add(of_second), of two different hashes: `at_once` where the processor has
// instructions for SHA-256, in little more than half the time (sha256_pair.h).
void add_to_both(Sha256& first, std::span<const std::byte> of_first, Sha256& second,
                 std::span<const std::byte> of_second, bool at_once = true);

[[nodiscard]] std::string sha256_of(std::span<const std::byte> bytes);

// Of a file's bytes, read a piece at a time. Throws InputError when it cannot be read, Cancelled when stopped.
[[nodiscard]] std::string sha256_of_file(const std::string& path, const std::stop_token& stop = {});

// Of so many of its bytes, from `offset` on; these must be there.
[[nodiscard]] std::string sha256_of_part(File& file, std::uint64_t offset, std::uint64_t bytes);

}  // namespace wordbreadth::base
