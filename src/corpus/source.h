// Where the bytes of a corpus come from: files, plain or packed by gzip, standard input, and text in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/file.h"

namespace wordbreadth::corpus {

// A copy of what comes through a pipe, since a corpus is read more than once. It is kept in a file without a name:
// whatever happens, nothing is left behind.
class Spool {
  public:
    // Reads the file descriptor `input` to its end. `name` is what messages call it. Throws InputError when it cannot
    // be read, or kept in `folder`; Cancelled.
    Spool(int input, std::string name, const std::string& folder, const std::stop_token& stop);

    // Where the copy can be opened, any number of times, while this lives.
    [[nodiscard]] std::string path() const;
    [[nodiscard]] std::uint64_t size() const { return size_; }

  private:
    struct Descriptor {
        explicit Descriptor(int open) : number(open) {}
        Descriptor(const Descriptor&) = delete;
        Descriptor& operator=(const Descriptor&) = delete;
        ~Descriptor();
        int number;
    };

    [[nodiscard]] std::size_t read_some(int input, std::span<std::byte> into, const std::stop_token& stop) const;
    void write(std::span<const std::byte> bytes);
    [[noreturn]] void refuse() const;

    std::string name_;
    std::string folder_;
    Descriptor file_;
    std::uint64_t size_ = 0;
};

// Where a copy is kept: in TMPDIR where that is set, else beside `path`, which need not exist yet.
[[nodiscard]] std::string folder_for_spool(const std::string& path);

class Inflater;

// The bytes of a corpus file, unpacked where it is a gzip file.
class Source : public base::Bytes {
  public:
    // Reads `spool`, which outlives this, where there is one, and calls it `path`. Throws InputError when there is no
    // regular file of that path or it may not be read.
    explicit Source(const std::string& path, const Spool* spool = nullptr);
    ~Source() override;

    // Also throws InputError when the gzip data are damaged or truncated.
    std::size_t read(std::span<std::byte> into) override;
    [[nodiscard]] const std::string& where() const override { return file_.where(); }

    // Bytes of the file on disk that were read so far.
    [[nodiscard]] std::uint64_t consumed() const;

  private:
    base::File file_;
    std::unique_ptr<Inflater> inflater_;  // none where the file is plain
    std::uint64_t consumed_ = 0;
};

// Text in memory, read like a file.
class MemoryBytes : public base::Bytes {
  public:
    // Both outlive this. `where` is what messages call the text.
    MemoryBytes(const std::string& where, std::string_view text) : where_(where), rest_(text) {}

    std::size_t read(std::span<std::byte> into) override;
    [[nodiscard]] const std::string& where() const override { return where_; }

  private:
    const std::string& where_;
    std::string_view rest_;
};

}  // namespace wordbreadth::corpus
