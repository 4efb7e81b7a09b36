// The lines of a text, and the fields of a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace wordbreadth::corpus {

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
