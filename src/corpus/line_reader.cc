#include "corpus/line_reader.h"

#include <utility>

#include "base/failure.h"
#include "base/utf8.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::size_t bytes_at_a_time = 64 * 1024;

}  // namespace

LineReader::LineReader(base::Bytes& source, std::size_t longest, Long treatment)
    : source_(source), longest_(longest), treatment_(treatment) {}

bool LineReader::next() {
    number_ += ends_ ? 1 : 0;
    const std::size_t end = find_line_end();
    if (end > longest_ && unread().size() > longest_) {
        take_piece();
    } else if (end != std::string_view::npos) {
        take(end, end + 1);
    } else if (!unread().empty()) {
        take(unread().size(), unread().size());
    } else {
        return false;
    }
    return true;
}

// Of the next LF among what is unread; npos when the source, or what is accepted as one line, ends before.
std::size_t LineReader::find_line_end() {
    std::size_t searched = 0;
    for (;;) {
        const std::size_t found = unread().find('\n', searched);
        if (found != std::string_view::npos || source_ended_ || unread().size() > longest_) return found;
        searched = unread().size();
        fill();
    }
}

void LineReader::fill() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    source_ended_ = !source_.append_to(buffer_, bytes_at_a_time);
}

void LineReader::take(std::size_t length, std::size_t with_end) {
    line_ = unread().substr(0, length);
    begin_ += with_end;
    ends_ = with_end > length || unread().empty();
    if (ends_ && line_.ends_with('\r')) line_.remove_suffix(1);
    if (std::exchange(at_start_, false) && line_.starts_with(base::byte_order_mark))
        line_.remove_prefix(base::byte_order_mark.size());
}

void LineReader::take_piece() {
    if (treatment_ == Long::refused) {
        base::fail_at(where(), number_,
                      "is longer than the " + std::to_string(longest_) + " bytes accepted for a line");
    }
    const std::size_t length = base::place_to_cut(unread(), longest_);
    take(length, length);
}

void split_fields(std::string_view line, std::vector<std::string_view>& fields, char separator) {
    fields.clear();
    for (;;) {
        const std::size_t end = line.find(separator);
        fields.push_back(line.substr(0, end));
        if (end == std::string_view::npos) return;
        line.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
    std::vector<std::string_view> fields;
    split_fields(line, fields, separator);
    return fields;
}

}  // namespace wordbreadth::corpus
