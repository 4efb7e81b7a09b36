// Where bytes come from: a file, or a member of an archive.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace wordbreadth::base {

class Bytes {
  public:
    Bytes() = default;
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;
    virtual ~Bytes() = default;

    // Fills the front of `into` with the next bytes and returns how many they are: fewer than asked for only when the
    // source ends there. Throws InputError when the source cannot be read.
    virtual std::size_t read(std::span<std::byte> into) = 0;

    // What messages call the source.
    [[nodiscard]] virtual const std::string& where() const = 0;

    // Appends the next `bytes`, or what is left of them, to `text`; false when the source ends there.
    bool append_to(std::string& text, std::size_t bytes);

    // Fills all of `into`; throws InputError, saying that `what` is cut off, when the source ends before.
    void read_all(std::span<std::byte> into, const char* what);
};

}  // namespace wordbreadth::base
