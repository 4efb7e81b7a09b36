// How the parts of a plan are written: numbers and texts as bytes, in frames that are checked when they are read, and
// records that can be read one by one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/output_file.h"

namespace wordbreadth::extraction {

class Packer {
  public:
    void number(std::uint64_t value);  // small ones in few bytes
    void fixed32(std::uint32_t value);
    void fixed64(std::uint64_t value);
    void text(std::string_view value);
    void raw(std::string_view bytes) { bytes_ += bytes; }

    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    void clear() { bytes_.clear(); }

  private:
    std::string bytes_;
};

// What was packed, in the same order. Throws InputError where there is no more.
class Unpacker {
  public:
    Unpacker() = default;
    // Messages call the file `where`; both must outlive it.
    Unpacker(std::string_view bytes, const std::string& where) : rest_(bytes), where_(&where) {}

    [[nodiscard]] std::uint64_t number();
    [[nodiscard]] std::uint32_t small();  // a number of 32 bits
    [[nodiscard]] std::uint32_t fixed32();
    [[nodiscard]] std::uint64_t fixed64();
    [[nodiscard]] std::string_view text();
    [[nodiscard]] std::string_view raw(std::size_t size);
    [[nodiscard]] bool done() const { return rest_.empty(); }

  private:
    [[noreturn]] void fail() const;

    std::string_view rest_;
    const std::string* where_ = nullptr;
};

[[noreturn]] void fail_damaged(const std::string& path);

// Items one after the other; a frame holds many, with a checksum.
class FrameWriter {
  public:
    explicit FrameWriter(const std::string& path) : file_(path) {}

    [[nodiscard]] Packer& item() { return frame_; }
    void end_item();
    void keep();  // the last call

  private:
    void end_frame();

    base::OutputFile file_;
    Packer frame_;
};

class FrameReader {
  public:
    // Throws InputError when there is no such file; likewise all that reads from it when it is damaged.
    explicit FrameReader(const std::string& path) : file_(path) {}

    // Whether there is another item. It stays until this is asked again.
    [[nodiscard]] bool more();
    [[nodiscard]] Unpacker& item() { return items_; }

  private:
    base::File file_;
    std::string frame_;
    Unpacker items_;
    bool ended_ = false;
};

// Records that are known by their numbers, 0, 1, ..., in two files: PATH, and PATH.index with where each begins. Some
// may be empty.
class RecordWriter {
  public:
    explicit RecordWriter(const std::string& path) : file_(path), index_(path + ".index") {}

    void add(std::string_view record);
    void keep();

  private:
    void flush();

    base::OutputFile file_, index_;
    Packer records_, offsets_;
    std::uint64_t end_ = 0;
};

// Reads them, best in ascending order: what lies close together is read at once.
class RecordReader {
  public:
    explicit RecordReader(const std::string& path) : file_(path), index_(path + ".index") {}

    // Stays until the next call. Throws InputError when it is damaged.
    [[nodiscard]] std::string_view read(std::uint64_t number);

    [[nodiscard]] const std::string& where() const { return file_.where(); }

  private:
    class Window {
      public:
        explicit Window(const std::string& path) : file_(path) {}
        [[nodiscard]] std::string_view at(std::uint64_t offset, std::size_t size);
        [[nodiscard]] const std::string& where() const { return file_.where(); }

      private:
        base::File file_;
        std::string bytes_;
        std::uint64_t begin_ = 0;
    };

    Window file_, index_;
};

}  // namespace wordbreadth::extraction
