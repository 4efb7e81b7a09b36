// Where the text of a corpus comes from: the bytes of files, plain or packed by gzip, of standard input and of text in
// memory; their lines, and the fields of a line.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

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

class LineReader {
  public:
    enum class Long { refused, in_pieces };

    // A line may be `longest` bytes. Longer ones raise an InputError, or come in pieces of at most that many.
    // `source` is UTF-8 and outlives the reader.
    LineReader(base::Bytes& source, std::size_t longest, Long treatment = Long::refused);

    // Goes to the next line, or the next piece of a line; false at the end.
    [[nodiscard]] bool next();

    // Without its end (LF or CR LF), and without a byte order mark. Stays until next().
    [[nodiscard]] std::string_view line() const { return line_; }

    // False when the line continues in the next piece.
    [[nodiscard]] bool ends() const { return ends_; }

    // From 1.
    [[nodiscard]] std::uint64_t number() const { return number_; }

    [[nodiscard]] const std::string& where() const { return source_.where(); }

  private:
    [[nodiscard]] std::string_view unread() const { return std::string_view(buffer_).substr(begin_); }
    std::size_t find_line_end();
    void fill();
    void take(std::size_t length, std::size_t with_end);
    void take_piece();

    base::Bytes& source_;
    std::size_t longest_;
    Long treatment_;
    std::string buffer_;
    std::size_t begin_ = 0;  // of what was not returned yet
    bool source_ended_ = false;
    std::string_view line_;
    bool ends_ = true;
    std::uint64_t number_ = 0;
    bool at_start_ = true;  // nothing was returned yet
};

// Puts the fields of `line`, which may be empty, into `fields`, in place of what was there.
void split_fields(std::string_view line, std::vector<std::string_view>& fields, char separator = '\t');
[[nodiscard]] std::vector<std::string_view> fields_of(std::string_view line, char separator = '\t');

}  // namespace wordbreadth::corpus
