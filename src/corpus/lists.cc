#include "wordbreadth/lists.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "base/failure.h"
#include "base/utf8.h"
#include "corpus/line_reader.h"

namespace wordbreadth {
namespace {

class ListFile {
  public:
    ListFile(const std::string& path, const std::string& expected, const ListLimits& limits)
        : path_(path), expected_(expected), limits_(limits), buffer_(limits.line_bytes + 2) {
        errno = 0;
        file_.open(path, std::ios::binary);
        if (!file_) fail_to_read();
    }

    // The next line, without its end. False at the end of the file.
    bool next(std::string_view& line) {
        ++line_;
        file_.getline(buffer_.data(), std::ssize(buffer_));
        const auto read = static_cast<std::size_t>(file_.gcount());  // with the line feed, where there was one
        bytes_ += read;
        if (file_.bad() || (read == 0 && !file_.eof())) fail_to_read();  // a folder opens, but does not read
        if (read == 0) return false;
        const bool too_long = file_.fail();
        line = std::string_view(buffer_.data(), file_.eof() || too_long ? read : read - 1);
        if (too_long || line.size() > limits_.line_bytes)
            fail("line " + std::to_string(line_) + " has more than", limits_.line_bytes, "bytes");
        if (bytes_ > limits_.bytes) fail("has more than", limits_.bytes, "bytes");
        if (line_ == 1 && line.starts_with(base::byte_order_mark)) line.remove_prefix(base::byte_order_mark.size());
        if (line.ends_with('\r')) line.remove_suffix(1);
        return true;
    }

    [[nodiscard]] std::uint64_t line() const { return line_; }

    [[noreturn]] void fail(const std::string& what, std::uint64_t limit, const std::string& unit) const {
        base::fail(path_,
                   what + " the " + std::to_string(limit) + " " + unit + " accepted; expected a list of " + expected_);
    }

  private:
    [[noreturn]] void fail_to_read() const {
        base::fail(path_,
                   "cannot be read (" + std::generic_category().message(errno) + "); expected a list of " + expected_);
    }

    const std::string& path_;
    const std::string& expected_;
    const ListLimits& limits_;
    std::ifstream file_;
    std::vector<char> buffer_;
    std::uint64_t line_ = 0, bytes_ = 0;
};

NamedPair pair_on(std::string_view text, const std::string& path, std::size_t line) {
    const auto fields = corpus::fields_of(text);
    if (fields.size() != 2)
        base::fail_at(path, line,
                      base::count_of(fields.size(), "field") + "; expected two cloud names separated by a tab");
    if (fields[0].empty() || fields[1].empty())
        base::fail_at(path, line, "a cloud name is empty; expected two separated by a tab");
    return {std::string(fields[0]), std::string(fields[1]), line};
}

}  // namespace

void read_list(const std::string& path, const std::string& expected,
               const std::function<void(std::string_view text, std::uint64_t line)>& entry, const ListLimits& limits) {
    ListFile file(path, expected, limits);
    std::size_t entries = 0;
    for (std::string_view line; file.next(line);) {
        if (line.empty() || line.starts_with('#')) continue;
        if (++entries > limits.entries) file.fail("lists more than", limits.entries, "entries");
        entry(line, file.line());
    }
}

std::vector<std::string> read_word_list(const std::string& path) {
    std::vector<std::string> words;
    read_list(path, "words, one per line", [&](std::string_view text, std::uint64_t line) {
        base::require_utf8(path, line, text);
        const std::string_view word = base::trimmed(text);
        if (!word.empty() && !word.starts_with('#')) words.emplace_back(word);
    });
    if (words.empty()) base::fail(path, "lists no word; expected one per line");
    return words;
}

std::vector<NamedPair> read_pair_list(const std::string& path) {
    const std::string expected = "two cloud names per line, separated by a tab";
    std::vector<NamedPair> pairs;
    read_list(path, "pairs: " + expected,
              [&](std::string_view text, std::uint64_t line) { pairs.push_back(pair_on(text, path, line)); });
    if (pairs.empty()) base::fail(path, "lists no pairs; expected " + expected);
    return pairs;
}

}  // namespace wordbreadth
