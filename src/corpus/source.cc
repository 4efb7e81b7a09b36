#include "corpus/source.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "base/file.h"
#include "base/utf8.h"
#include "wordbreadth/error.h"

namespace wordbreadth::corpus {

constexpr std::size_t piece_bytes = 64 * 1024;

// Unpacks a gzip file, all of its members one after the other (as pigz, bgzip and cat write them). Not through zlib's
// gzread(), which ends quietly where something else follows the last member.
class Inflater {
  public:
    // `packed` starts with a gzip member and outlives the inflater.
    explicit Inflater(base::Bytes& packed) : packed_(packed) {
        constexpr int gzip_only = 16 + MAX_WBITS;
        if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&stream_); }

    // As Bytes::read(). Throws InputError when the data are damaged or truncated, or something else follows them.
    std::size_t read(std::span<std::byte> into) {
        stream_.next_out = reinterpret_cast<Bytef*>(into.data());
        stream_.avail_out = static_cast<uInt>(into.size());
        while (stream_.avail_out > 0 && (in_member_ || find_next_member())) inflate_some();
        return into.size() - stream_.avail_out;
    }

    // Packed bytes used so far.
    [[nodiscard]] std::uint64_t consumed() const { return taken_ - stream_.avail_in; }

  private:
    bool refill() {
        const std::size_t found = packed_.read(input_);
        taken_ += found;
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(found);
        return found > 0;
    }

    // Zeros may pad the file, as on tapes.
    bool find_next_member() {
        while (stream_.avail_in > 0 || refill()) {
            if (*stream_.next_in != 0) return in_member_ = true;
            ++stream_.next_in;
            --stream_.avail_in;
        }
        return false;
    }

    void inflate_some() {
        if (stream_.avail_in == 0 && !refill()) {
            base::fail(packed_.where(), "its gzip data end after " + std::to_string(taken_) +
                                            " bytes; expected the end of a gzip member: copy the file again");
        }
        const int status = inflate(&stream_, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            in_member_ = false;
            inflateReset(&stream_);
        } else if (status == Z_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (status != Z_OK) {
            base::fail(packed_.where(), "its gzip data are damaged at byte " + std::to_string(consumed()) + " (" +
                                            (stream_.msg != nullptr ? stream_.msg : "no member follows") +
                                            "); copy the file again");
        }
    }

    base::Bytes& packed_;
    z_stream stream_{};
    bool in_member_ = true;
    std::uint64_t taken_ = 0;
    std::array<std::byte, piece_bytes> input_;
};

namespace {

constexpr int milliseconds_between_looks = 200;  // at the request to stop

std::string reason() {
    return std::generic_category().message(errno);
}

int open_without_name(const std::string& folder) {
    std::string path = folder + "/wordbreadth-XXXXXX";
    const int file = mkostemp(path.data(), O_CLOEXEC);
    if (file >= 0) unlink(path.c_str());
    return file;
}

bool is_gzip(base::File& file) {
    std::array<std::byte, 2> magic{};
    const bool is_it = file.read(magic) == magic.size() && magic == std::array{std::byte{0x1F}, std::byte{0x8B}};
    file.seek(0);
    return is_it;
}

}  // namespace

Source::Source(const std::string& path, const Spool* spool) : file_(spool != nullptr ? spool->path() : path, path) {
    if (is_gzip(file_)) inflater_ = std::make_unique<Inflater>(file_);
}

Source::~Source() = default;

std::uint64_t Source::consumed() const {
    return inflater_ ? inflater_->consumed() : consumed_;
}

std::size_t Source::read(std::span<std::byte> into) {
    if (inflater_) return inflater_->read(into);
    const std::size_t found = file_.read(into);
    consumed_ += found;
    return found;
}

std::size_t MemoryBytes::read(std::span<std::byte> into) {
    const std::size_t count = std::min(into.size(), rest_.size());
    if (count > 0) std::memcpy(into.data(), rest_.data(), count);
    rest_.remove_prefix(count);
    return count;
}

Spool::Spool(int input, std::string name, const std::string& folder, const std::stop_token& stop)
    : name_(std::move(name)), folder_(folder), file_{open_without_name(folder)} {
    if (file_.number < 0) refuse();
    std::array<std::byte, piece_bytes> piece;
    while (const std::size_t found = read_some(input, piece, stop)) write(std::span(piece).first(found));
}

Spool::Descriptor::~Descriptor() {
    if (number >= 0) close(number);
}

std::string Spool::path() const {
    return "/proc/self/fd/" + std::to_string(file_.number);
}

// What there is, at least a byte; 0 at the end. A stop is noticed even while a pipe is silent.
std::size_t Spool::read_some(int input, std::span<std::byte> into, const std::stop_token& stop) const {
    for (;;) {
        if (stop.stop_requested()) throw Cancelled();
        pollfd state{input, POLLIN, 0};
        const int ready = poll(&state, 1, milliseconds_between_looks);
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        const ssize_t found = ::read(input, into.data(), into.size());
        if (found >= 0) return static_cast<std::size_t>(found);
        if (errno != EINTR && errno != EAGAIN) base::fail_to_open(name_, "cannot be read: " + reason(), errno);
    }
}

void Spool::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_.number, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) refuse();
        size_ += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void Spool::refuse() const {
    base::fail(name_, "cannot be kept in " + folder_ + ": " + reason() + "; set TMPDIR to a folder with room for it");
}

std::string folder_for_spool(const std::string& path) {
    const char* const chosen = std::getenv("TMPDIR");
    if (chosen != nullptr && *chosen != '\0') return chosen;
    if (path.empty()) return ".";
    std::error_code error;
    std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
    while (folder.has_relative_path() && !std::filesystem::is_directory(folder, error)) folder = folder.parent_path();
    return folder.string();
}

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
    source_ended_ = !source_.append_to(buffer_, piece_bytes);
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
