// A copy of what comes through a pipe, since a corpus is read more than once.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

#include "base/bytes.h"

namespace wordbreadth::corpus {

// Reads a file descriptor to its end, into a file without a name: whatever happens, nothing is left behind.
class Spool {
  public:
    // `name` is what messages call the input. Throws InputError when it cannot be read, or kept in `folder`; Cancelled.
    Spool(int input, std::string name, const std::string& folder, const std::stop_token& stop);
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;
    ~Spool();

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }

    // As store::Bytes::read(), from `offset`.
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> into) const;

  private:
    void copy(int input, const std::stop_token& stop);
    [[nodiscard]] std::size_t read_some(int input, std::span<std::byte> into, const std::stop_token& stop) const;
    void write(std::span<const std::byte> bytes);

    std::string name_;
    std::string folder_;
    int file_ = -1;
    std::uint64_t size_ = 0;
};

// The copy, read from front to back.
class SpooledBytes : public base::Bytes {
  public:
    // `spool` outlives this.
    explicit SpooledBytes(const Spool& spool) : spool_(spool) {}

    std::size_t read(std::span<std::byte> into) override {
        const std::size_t found = spool_.read_at(offset_, into);
        offset_ += found;
        return found;
    }
    [[nodiscard]] const std::string& where() const override { return spool_.name(); }

  private:
    const Spool& spool_;
    std::uint64_t offset_ = 0;
};

// Where a copy is kept: in TMPDIR where that is set, else beside `path`, which need not exist yet.
[[nodiscard]] std::string folder_for_spool(const std::string& path);

}  // namespace wordbreadth::corpus
