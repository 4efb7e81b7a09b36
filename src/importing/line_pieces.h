// The lines of a file, in pieces that threads read apart from each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::importing {

struct Lines {
    std::vector<std::string_view> lines{};  // without their ends; `padding` bytes after each can be read
    std::uint64_t start = 0;                // byte of the file at which the first begins
    std::string text{};                     // where they lie

    [[nodiscard]] std::uint64_t start_of(std::string_view line) const {
        return start + static_cast<std::uint64_t>(line.data() - lines.front().data());
    }
};

// Of the file as long as it is when it is opened, though others may still be writing to it.
class LinePieces {
  public:
    static constexpr std::size_t padding = 64;

    // Throws InputError when the file is missing.
    explicit LinePieces(std::string path);

    [[nodiscard]] std::size_t size() const { return pieces_; }

    // The lines that begin in that piece; none, where a line goes beyond it. Any thread may read any piece. Throws
    // InputError, with its number, for a line longer than limits::record_bytes.
    void read(std::size_t piece, Lines& into) const;

    // The number, from 1, of the line that begins at that byte. Reads all before it: for messages.
    [[nodiscard]] std::uint64_t line_at(std::uint64_t start) const;

  private:
    std::string path_;
    std::uint64_t bytes_;
    std::size_t pieces_;
};

}  // namespace wordbreadth::importing
