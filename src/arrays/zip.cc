#include "arrays/zip.h"

#include "base/failure.h"

namespace wordbreadth::arrays {

namespace {

std::string text_of(int code) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    return text;
}

void require_readable(const std::string& where, const zip_stat_t& stat) {
    constexpr zip_uint64_t needed =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((stat.valid & needed) != needed) base::fail(where, "its size is not in the archive; save the file again");
    if (stat.encryption_method != ZIP_EM_NONE) base::fail(where, "is encrypted; save the archive without a password");
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
        base::fail(where, "is packed with zip method " + std::to_string(stat.comp_method) +
                              "; expected 0 (stored) or 8 (deflated): save it with numpy.savez");
    }
}

}  // namespace

Zip::Zip(const std::string& path) : path_(path) {
    int error = 0;
    archive_.reset(zip_open(path.c_str(), ZIP_RDONLY, &error));
    if (!archive_) base::fail(path, "is not a whole zip archive (" + text_of(error) + "); save or copy it again");
}

std::uint64_t Zip::entries() const {
    return static_cast<std::uint64_t>(zip_get_num_entries(archive_.get(), 0));
}

ZipEntry Zip::entry(std::uint64_t index) const {
    zip_stat_t stat;
    zip_stat_init(&stat);
    // The name comes as UTF-8, recoded where the archive says that it is in another encoding.
    if (zip_stat_index(archive_.get(), index, 0, &stat) != 0 || stat.name == nullptr) {
        base::fail(path_, "entry " + std::to_string(index) + " of the archive is damaged (" +
                              zip_strerror(archive_.get()) + ")");
    }
    require_readable(path_ + ":" + base::in_quotes(stat.name), stat);
    return {stat.name, stat.size, stat.comp_size, stat.comp_method == ZIP_CM_DEFLATE};
}

ZipMember Zip::open(std::uint64_t index, std::string where) const {
    zip_file* file = zip_fopen_index(archive_.get(), index, 0);
    if (file == nullptr) base::fail(where, std::string("cannot be unpacked (") + zip_strerror(archive_.get()) + ")");
    return {file, std::move(where)};
}

std::size_t ZipMember::read(std::span<std::byte> into) {
    std::size_t filled = 0;
    while (filled < into.size()) {
        const zip_int64_t count = zip_fread(file_.get(), into.data() + filled, into.size() - filled);
        if (count < 0) base::fail(where_, std::string("cannot be unpacked (") + zip_file_strerror(file_.get()) + ")");
        if (count == 0) break;
        filled += static_cast<std::size_t>(count);
    }
    return filled;
}

}  // namespace wordbreadth::arrays
