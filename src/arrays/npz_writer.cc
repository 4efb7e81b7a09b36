#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <stdexcept>

#include "arrays/npy.h"
#include "arrays/npz.h"

namespace wordbreadth::arrays {

namespace {

constexpr zip_uint16_t first_day = 1 << 5 | 1;  // 1 January 1980 as MS-DOS writes it

// libzip is a C library: what is thrown inside its callbacks waits here until it has returned.
class Failure {
  public:
    // What `action` returns, or -1 when it throws.
    template <class Action>
    zip_int64_t guarded(const Action& action) {
        try {
            return action();
        } catch (...) {
            if (!exception_) exception_ = std::current_exception();
            return -1;
        }
    }

    void rethrow() const {
        if (exception_) std::rethrow_exception(exception_);
    }

  private:
    std::exception_ptr exception_;
};

// The archive as libzip sees it: an empty file that is written to in any order.
struct Target {
    base::OutputFile& file;
    Failure& failure;
    std::uint64_t place = 0, end = 0;

    zip_int64_t write(std::span<const std::byte> bytes) {
        const auto known = bytes.first(std::min<std::uint64_t>(bytes.size(), end - place));
        file.rewrite(place, known);
        file.write(bytes.subspan(known.size()));
        place += bytes.size();
        end = std::max(end, place);
        return static_cast<zip_int64_t>(bytes.size());
    }

    zip_int64_t seek(void* data, zip_uint64_t size) {
        zip_error_t error;
        zip_error_init(&error);
        const zip_int64_t to = zip_source_seek_compute_offset(place, end, data, size, &error);
        if (to < 0 || static_cast<std::uint64_t>(to) > end) return -1;
        place = static_cast<std::uint64_t>(to);
        return 0;
    }
};

zip_int64_t stat_of_size(void* data, std::uint64_t size) {
    auto* const found = static_cast<zip_stat_t*>(data);
    zip_stat_init(found);
    found->size = size;
    found->valid = ZIP_STAT_SIZE;
    return sizeof *found;
}

zip_int64_t error_code(void* data, zip_uint64_t size, int code) {
    zip_error_t error;
    zip_error_init(&error);
    zip_error_set(&error, code, EIO);
    const zip_int64_t written = zip_error_to_data(&error, data, size);
    zip_error_fini(&error);
    return written;
}

zip_int64_t serve_target(void* state, void* data, zip_uint64_t size, zip_source_cmd_t command) {
    Target& target = *static_cast<Target*>(state);
    switch (command) {
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                                  ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE,
                                                  ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE,
                                                  ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE, ZIP_SOURCE_SUPPORTS, -1);
        case ZIP_SOURCE_STAT:
            return stat_of_size(data, 0);
        case ZIP_SOURCE_ERROR:
            return error_code(data, size, ZIP_ER_WRITE);
        case ZIP_SOURCE_WRITE:
            return target.failure.guarded([&] { return target.write({static_cast<const std::byte*>(data), size}); });
        case ZIP_SOURCE_SEEK_WRITE:
            return target.seek(data, size);
        case ZIP_SOURCE_TELL_WRITE:
            return static_cast<zip_int64_t>(target.place);
        default:
            return 0;  // opened, closed, kept: that is the OutputFile's; nothing is ever read
    }
}

// A member: its header, then its values, which are asked for when libzip comes to it.
struct Member {
    std::string header;
    std::uint64_t value_bytes = 0;
    std::function<std::span<const float>()> values;
    Failure& failure;
    std::span<const std::byte> left_of_header = {}, left_of_values = {};

    void open() {
        left_of_header = std::as_bytes(std::span(header));
        left_of_values = std::as_bytes(values());
        if (left_of_values.size() != value_bytes) throw std::logic_error("a matrix is not of the size announced");
    }

    zip_int64_t read(void* data, zip_uint64_t size) {
        auto& left = left_of_header.empty() ? left_of_values : left_of_header;
        const auto piece = left.first(std::min<std::uint64_t>(left.size(), size));
        std::ranges::copy(piece, static_cast<std::byte*>(data));
        left = left.subspan(piece.size());
        return static_cast<zip_int64_t>(piece.size());
    }

    [[nodiscard]] std::uint64_t size() const { return header.size() + value_bytes; }
};

zip_int64_t serve_member(void* state, void* data, zip_uint64_t size, zip_source_cmd_t command) {
    Member& member = *static_cast<Member*>(state);
    switch (command) {
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
        case ZIP_SOURCE_OPEN:
            return member.failure.guarded([&] {
                member.open();
                return zip_int64_t{0};
            });
        case ZIP_SOURCE_READ:
            return member.read(data, size);
        case ZIP_SOURCE_STAT:
            return stat_of_size(data, member.size());
        case ZIP_SOURCE_ERROR:
            return error_code(data, size, ZIP_ER_READ);
        default:
            return 0;
    }
}

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};

class NpzWriter {
  public:
    explicit NpzWriter(base::OutputFile& file) : target_{file, failure_} {
        zip_error_t error;
        zip_error_init(&error);
        zip_source_t* const source = zip_source_function_create(serve_target, &target_, &error);
        archive_.reset(source == nullptr ? nullptr : zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error));
        if (!archive_) throw std::runtime_error(std::string("libzip cannot start: ") + zip_error_strerror(&error));
    }

    void add(const MatrixShape& shape, std::function<std::span<const float>()> values) {
        members_.push_back({npy_header("<f4", {shape.rows, shape.columns}), shape.rows * shape.columns * sizeof(float),
                            std::move(values), failure_});
        zip_source_t* const source = zip_source_function(archive_.get(), serve_member, &members_.back());
        const zip_int64_t index = zip_file_add(archive_.get(), (shape.name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0) refuse();
        const auto place = static_cast<zip_uint64_t>(index);
        if (zip_set_file_compression(archive_.get(), place, ZIP_CM_STORE, 0) != 0 ||
            zip_file_set_dostime(archive_.get(), place, 0, first_day, 0) != 0)
            refuse();
    }

    // Only here is anything read or written.
    void finish() {
        if (zip_close(archive_.get()) != 0) refuse();
        (void)archive_.release();
    }

  private:
    [[noreturn]] void refuse() const {
        failure_.rethrow();
        throw std::runtime_error(std::string("libzip cannot write the archive: ") + zip_strerror(archive_.get()));
    }

    Failure failure_;
    Target target_;
    std::list<Member> members_;  // libzip keeps their addresses
    std::unique_ptr<zip_t, Discard> archive_;
};

}  // namespace

void write_npz(base::OutputFile& file, std::span<const MatrixShape> matrices, const MatrixValues& values) {
    NpzWriter writer(file);
    for (std::size_t i = 0; i < matrices.size(); ++i) writer.add(matrices[i], [&values, i] { return values(i); });
    writer.finish();
}

}  // namespace wordbreadth::arrays
