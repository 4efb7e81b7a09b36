#include "importing/line_pieces.h"

#include <algorithm>
#include <utility>

#include "base/failure.h"
#include "base/file.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::importing {
namespace {

constexpr std::uint64_t piece_bytes = 1024 * 1024;  // they fit a core's cache, and are parsed in it

// The end of the line at `begin`, or npos where the text has none; looks at no more than `most` bytes.
std::size_t end_of_line(const std::string& text, std::size_t begin, std::size_t most) {
    const std::size_t length = std::string_view(text).substr(begin, most).find('\n');
    return length == std::string::npos ? length : begin + length;
}

}  // namespace

LinePieces::LinePieces(std::string path)
    : path_(std::move(path)),
      bytes_(base::File(path_).size()),
      pieces_(static_cast<std::size_t>((bytes_ + piece_bytes - 1) / piece_bytes)) {}

void LinePieces::read(std::size_t piece, Lines& into) const {
    into.lines.clear();
    std::string& text = into.text;
    text.clear();
    base::File file(path_);
    // With the byte before the piece: a line begins where that ends one.
    const std::uint64_t from = piece * piece_bytes, before = std::min<std::uint64_t>(piece, 1);
    file.seek(from - before);
    const auto append = [&](std::uint64_t bytes) {
        const std::uint64_t left = bytes_ - (from - before) - text.size();
        return file.append_to(text, static_cast<std::size_t>(std::min(bytes, left))) && bytes < left;
    };
    bool more = append(piece_bytes + before);
    const std::size_t piece_end = text.size();
    std::size_t begin = before == 0 ? 0 : std::min(text.find('\n'), text.size() - 1) + 1;
    into.start = from - before + begin;
    std::vector<std::size_t> ends;
    for (std::size_t at = begin; at < piece_end;) {
        std::size_t end = end_of_line(text, at, limits::record_bytes + 1);
        // The last one goes beyond the piece.
        while (end == std::string::npos && more && text.size() - at <= limits::record_bytes) {
            const std::size_t looked_at = text.size();
            more = append(piece_bytes / 16);
            end = end_of_line(text, looked_at, limits::record_bytes + 1);
        }
        end = std::min(end, text.size());
        if (end - at > limits::record_bytes)
            base::fail_at(
                path_, line_at(into.start + (at - begin)),
                "is longer than " + std::to_string(limits::record_bytes) + " bytes; expected a line per vector");
        ends.push_back(end);
        at = end + 1;
    }
    text.append(padding, '\0');
    for (const std::size_t end : ends) {
        into.lines.push_back(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
    }
}

std::uint64_t LinePieces::line_at(std::uint64_t start) const {
    base::File file(path_);
    std::uint64_t number = 1;
    std::string text;
    for (std::uint64_t at = 0; at < start; at += piece_bytes) {
        text.clear();
        file.append_to(text, static_cast<std::size_t>(std::min(piece_bytes, start - at)));
        number += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    }
    return number;
}

}  // namespace wordbreadth::importing
