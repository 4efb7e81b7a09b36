// Zip archives, read through libzip. npz.cc writes them.
#pragma once

#include <zip.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/file.h"

namespace wordbreadth::arrays {

struct ZipEntry {
    std::string name;
    std::uint64_t size = 0;             // announced, unpacked
    std::uint64_t compressed_size = 0;  // announced
    bool deflated = false;              // else stored as it is
};

class ZipMember;

struct DiscardZip {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};

class Zip {
  public:
    // Throws InputError when the file is not a whole zip archive.
    explicit Zip(const std::string& path);

    [[nodiscard]] std::uint64_t entries() const;

    // What the archive announces about an entry, index < entries(). Throws InputError when it is damaged, encrypted, or
    // packed in another way than stored or deflated.
    [[nodiscard]] ZipEntry entry(std::uint64_t index) const;

    // Opens an entry; `where` is what messages call it. The archive must outlive the member.
    [[nodiscard]] ZipMember open(std::uint64_t index, std::string where) const;

  private:
    std::string path_;
    std::unique_ptr<zip_t, DiscardZip> archive_;
};

// The unpacked bytes of one entry. Reading on to the end checks them against the archive's checksum.
class ZipMember : public base::Bytes {
  public:
    std::size_t read(std::span<std::byte> into) override;
    [[nodiscard]] const std::string& where() const override { return where_; }

  private:
    friend class Zip;
    ZipMember(zip_file_t* file, std::string where) : where_(std::move(where)), file_(file) {}

    struct Close {
        void operator()(zip_file_t* file) const { zip_fclose(file); }
    };

    std::string where_;
    std::unique_ptr<zip_file_t, Close> file_;
};

}  // namespace wordbreadth::arrays
