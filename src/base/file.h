// Where bytes come from: a file on disk, or a member of an archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
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

// Read from front to back or from any place.
class File : public Bytes {
  public:
    // Throws InputError when there is no regular file of that path or it may not be read.
    explicit File(const std::string& path) : File(path, path) {}

    // Messages call the file `name`.
    File(const std::string& path, std::string name);

    std::size_t read(std::span<std::byte> into) override;
    [[nodiscard]] const std::string& where() const override { return name_; }

    [[nodiscard]] std::uint64_t size() const { return size_; }

    // The next read() starts at `offset`, which is at most size().
    void seek(std::uint64_t offset);

  private:
    std::string name_;
    std::ifstream stream_;
    std::uint64_t size_ = 0;
};

// A file mapped into memory, read only.
class MappedFile {
  public:
    // Throws InputError when there is no regular file of that path, or it cannot be mapped.
    explicit MappedFile(const std::string& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

    // What was read so far no longer counts as memory of the process; what is read again comes from the system's cache.
    void forget() const;

  private:
    std::span<const std::byte> bytes_;
};

}  // namespace wordbreadth::base
