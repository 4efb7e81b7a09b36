#include "arrays/npy.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "arrays/zip.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/names.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {

namespace {

constexpr std::string_view member_ending = ".npy";

// Up to this many times its compressed size, the size that a member announces is believed, since the compressed bytes
// are there; beyond, the member is unpacked once just to count. Real vectors hardly compress and are never counted.
constexpr std::uint64_t believed_expansion = 16;

struct Member {
    std::uint64_t index = 0;
    ZipEntry entry;
};

std::string array_name(const std::string& path, const std::string& member) {
    if (!member.ends_with(member_ending)) {
        base::fail(
            path, "holds " + base::in_quotes(member) + ", which is not an .npy array; an .npz file holds nothing else");
    }
    std::string name = member.substr(0, member.size() - member_ending.size());
    base::require_good_name(path, name);
    return name;
}

void require_plausible_size(const std::string& where, const ZipEntry& entry) {
    if (!entry.deflated && entry.size != entry.compressed_size) {
        base::fail(where, "is stored in " + std::to_string(entry.compressed_size) + " bytes but declares " +
                              std::to_string(entry.size) + "; save the file again");
    }
    // size > npz_expansion * compressed_size, written so that it cannot wrap.
    if (entry.size > limits::npz_member_bytes && (entry.size - 1) / limits::npz_expansion >= entry.compressed_size) {
        base::fail(where, "announces " + std::to_string(entry.size) + " bytes unpacked from " +
                              std::to_string(entry.compressed_size) + ", more than " +
                              std::to_string(limits::npz_expansion) + " times as many; save it with numpy.savez");
    }
}

class NpzFile : public ArrayFile {
  public:
    explicit NpzFile(const std::string& path) : path_(path), file_size_(base::File(path).size()), archive_(path) {
        const std::uint64_t entries = archive_.entries();
        if (entries == 0) base::fail(path_, "holds no arrays");
        if (entries > limits::archive_entries) {
            base::fail(path_, "holds " + std::to_string(entries) + " arrays; at most " +
                                  std::to_string(limits::archive_entries) + " are accepted");
        }
        for (std::uint64_t index = 0; index < entries; ++index) add(index);
    }

    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const auto& [name, member] : members_) names.push_back(name);
        return names;
    }

    Array read(const std::string& name) override {
        const auto found = members_.find(name);
        if (found == members_.end()) base::fail_missing(path_, name, names());
        const auto& [index, entry] = found->second;
        const std::lock_guard lock(reading_);
        if (entry.size / believed_expansion > entry.compressed_size) require_real_size(name, found->second);
        ZipMember member = archive_.open(index, where(name));
        Array array = read_npy(member, name, entry.size);
        require_end(member, entry.size);
        return array;
    }

    MatrixSize size_of(const std::string& name) override {
        const auto found = members_.find(name);
        if (found == members_.end()) base::fail_missing(path_, name, names());
        const std::lock_guard lock(reading_);
        ZipMember member = archive_.open(found->second.index, where(name));
        return matrix_size(where(name), read_npy_shape(member));
    }

  private:
    std::string where(const std::string& name) const { return path_ + ":" + name; }

    void add(std::uint64_t index) {
        ZipEntry entry = archive_.entry(index);
        const std::string name = array_name(path_, entry.name);
        require_plausible_size(where(name), entry);
        // Members that overlap would let a small file unpack without end, each within its own bound.
        if (entry.compressed_size > file_size_ - packed_bytes_) {
            base::fail(where(name), "its " + std::to_string(entry.compressed_size) +
                                        " packed bytes do not fit the file of " + std::to_string(file_size_) +
                                        " bytes; save the file again");
        }
        packed_bytes_ += entry.compressed_size;
        if (!members_.try_emplace(name, Member{index, std::move(entry)}).second) {
            base::fail(path_,
                       "holds the array " + base::in_quotes(name) + " twice; save it again with different names");
        }
    }

    // Unpacks into nothing, so that no memory is taken for a size that was only announced.
    void require_real_size(const std::string& name, const Member& announced) const {
        ZipMember member = archive_.open(announced.index, where(name));
        std::array<std::byte, 64 * 1024> piece;
        std::uint64_t found = 0;
        for (std::size_t count = piece.size(); count == piece.size() && found <= announced.entry.size;) {
            count = member.read(piece);
            found += count;
        }
        if (found < announced.entry.size) fail_size(member, announced.entry.size, std::to_string(found));
    }

    // Also makes libzip compare the checksum, which it does at the end only.
    static void require_end(ZipMember& member, std::uint64_t announced) {
        std::array<std::byte, 1> next;
        if (member.read(next) != 0) fail_size(member, announced, "more");
    }

    [[noreturn]] static void fail_size(const ZipMember& member, std::uint64_t announced, const std::string& found) {
        base::fail(member.where(), "announces " + std::to_string(announced) + " bytes but unpacks to " + found +
                                       "; save the file again");
    }

    std::string path_;
    std::uint64_t file_size_;
    std::uint64_t packed_bytes_ = 0;  // of the members so far
    std::mutex reading_;              // libzip serves one thread at a time
    Zip archive_;
    std::map<std::string, Member> members_;
};

constexpr zip_uint16_t first_day = 1 << 5 | 1;  // 1 January 1980 as MS-DOS writes it

// A member to be written: its header, then its values, which are asked for when libzip comes to it.
struct NewMember {
    std::string header;
    std::uint64_t value_bytes = 0;
    std::function<std::span<const float>()> values;
    std::exception_ptr& thrown;  // by `values`; libzip, being C, cannot let it through
    std::span<const std::byte> left_of_header = {}, left_of_values = {};

    zip_int64_t open() try {
        left_of_header = std::as_bytes(std::span(header));
        left_of_values = std::as_bytes(values());
        if (left_of_values.size() != value_bytes) throw std::logic_error("a matrix is not of the size declared");
        return 0;
    } catch (...) {
        thrown = std::current_exception();
        return -1;
    }

    zip_int64_t read(void* data, zip_uint64_t size) {
        auto& left = left_of_header.empty() ? left_of_values : left_of_header;
        const auto piece = left.first(std::min<std::uint64_t>(left.size(), size));
        std::ranges::copy(piece, static_cast<std::byte*>(data));
        left = left.subspan(piece.size());
        return static_cast<zip_int64_t>(piece.size());
    }

    [[nodiscard]] zip_int64_t tell_size(void* data) const {
        auto* const found = static_cast<zip_stat_t*>(data);
        zip_stat_init(found);
        found->size = header.size() + value_bytes;
        found->valid = ZIP_STAT_SIZE;
        return sizeof *found;
    }
};

zip_int64_t tell_error(void* data, zip_uint64_t size) {
    zip_error_t error;
    zip_error_init(&error);
    zip_error_set(&error, ZIP_ER_READ, EIO);
    return zip_error_to_data(&error, data, size);
}

zip_int64_t serve(void* state, void* data, zip_uint64_t size, zip_source_cmd_t command) {
    NewMember& member = *static_cast<NewMember*>(state);
    switch (command) {
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
        case ZIP_SOURCE_OPEN:
            return member.open();
        case ZIP_SOURCE_READ:
            return member.read(data, size);
        case ZIP_SOURCE_STAT:
            return member.tell_size(data);
        case ZIP_SOURCE_ERROR:
            return tell_error(data, size);
        default:
            return 0;
    }
}

class NpzWriter {
  public:
    explicit NpzWriter(const std::string& path) : archive_(zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr)) {
        if (!archive_) base::fail(path, "libzip cannot write there");
    }

    void add(const MatrixShape& shape, std::function<std::span<const float>()> values) {
        members_.push_back({npy_header("<f4", {shape.rows, shape.columns}), shape.rows * shape.columns * sizeof(float),
                            std::move(values), thrown_});
        zip_t* const archive = archive_.get();
        zip_source_t* const source = zip_source_function(archive, serve, &members_.back());
        const zip_int64_t index = zip_file_add(archive, (shape.name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
        const auto place = static_cast<zip_uint64_t>(index);
        if (index < 0 || zip_set_file_compression(archive, place, ZIP_CM_STORE, 0) != 0 ||
            zip_file_set_dostime(archive, place, 0, first_day, 0) != 0)
            throw std::runtime_error(std::string("libzip cannot add a member: ") + zip_strerror(archive));
    }

    // Only here is anything read or written.
    void finish(const std::string& path) {
        const bool written = zip_close(archive_.get()) == 0;
        if (thrown_) std::rethrow_exception(thrown_);
        if (!written) {
            const int system = zip_error_code_system(zip_get_error(archive_.get()));
            base::fail(path, "writing failed: " +
                                 (system != 0 ? std::generic_category().message(system)
                                              : std::string(zip_strerror(archive_.get()))) +
                                 "; nothing that was there before is lost");
        }
        (void)archive_.release();
    }

  private:
    std::exception_ptr thrown_;
    std::list<NewMember> members_;  // libzip keeps their addresses
    std::unique_ptr<zip_t, DiscardZip> archive_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_npz(const std::string& path) {
    return std::make_unique<NpzFile>(path);
}

void write_npz(const base::OutputFile& file, std::span<const MatrixShape> matrices, const MatrixValues& values) {
    NpzWriter writer(file.temporary());
    for (std::size_t i = 0; i < matrices.size(); ++i) writer.add(matrices[i], [&values, i] { return values(i); });
    writer.finish(file.path());
}

}  // namespace wordbreadth::arrays
