#include "wordbreadth/lists.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/failure.h"
#include "base/utf8.h"
#include "corpus/source.h"

namespace wordbreadth {
namespace {

// The bytes of a list, which need not be a regular file.
class ListBytes : public base::Bytes {
  public:
    ListBytes(const std::string& path, const std::string& expected, std::uint64_t most)
        : path_(path), expected_(expected), most_(most) {
        errno = 0;
        stream_.open(path, std::ios::binary);
        if (!stream_) fail_to_read();
    }

    std::size_t read(std::span<std::byte> into) override {
        stream_.read(reinterpret_cast<char*>(into.data()), std::ssize(into));
        if (stream_.bad()) fail_to_read();  // a folder opens, but does not read
        const auto found = static_cast<std::size_t>(stream_.gcount());
        bytes_ += found;
        if (bytes_ > most_) fail("has more than", most_, "bytes");
        return found;
    }

    [[nodiscard]] const std::string& where() const override { return path_; }

    [[noreturn]] void fail(const std::string& what, std::uint64_t limit, const std::string& unit) const {
        base::fail(path_,
                   what + " the " + std::to_string(limit) + " " + unit + " accepted; expected a list of " + expected_);
    }

  private:
    [[noreturn]] void fail_to_read() const {
        const int error = errno;
        base::fail_to_open(
            path_, "cannot be read (" + std::generic_category().message(error) + "); expected a list of " + expected_,
            error);
    }

    const std::string& path_;
    const std::string& expected_;
    std::uint64_t most_;
    std::ifstream stream_;
    std::uint64_t bytes_ = 0;
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

void add_label(BlockLabels& to, std::string_view text, std::size_t line) {
    const auto fields = corpus::fields_of(text);
    if (fields.size() != 2 || fields[0].empty() || fields[1].empty())
        base::fail_at(to.path, line,
                      (fields.size() == 2 ? std::string("a field is empty") : base::count_of(fields.size(), "field")) +
                          "; expected the name of a cloud and the label of its next row, separated by a tab");
    BlockLabels::OfCloud& cloud = to.clouds[std::string(fields[0])];
    if (cloud.labels.empty()) cloud.line = line;
    cloud.labels.emplace_back(fields[1]);
}

}  // namespace

void read_list(const std::string& path, const std::string& expected,
               const std::function<void(std::string_view text, std::uint64_t line)>& entry, const ListLimits& limits) {
    ListBytes file(path, expected, limits.bytes);
    corpus::LineReader lines(file, limits.line_bytes, corpus::LineReader::Long::in_pieces);
    std::size_t entries = 0;
    while (lines.next()) {
        if (!lines.ends())
            file.fail("line " + std::to_string(lines.number()) + " has more than", limits.line_bytes, "bytes");
        if (lines.line().empty() || lines.line().starts_with('#')) continue;
        if (++entries > limits.entries) file.fail("lists more than", limits.entries, "entries");
        entry(lines.line(), lines.number());
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

BlockLabels read_block_labels(const std::string& path) {
    const std::string expected = "a cloud name and the label of its next row per line, separated by a tab";
    BlockLabels found{path, {}};
    read_list(path, "labels: " + expected,
              [&](std::string_view text, std::uint64_t line) { add_label(found, text, line); });
    if (found.clouds.empty()) base::fail(path, "lists no labels; expected " + expected);
    return found;
}

}  // namespace wordbreadth
