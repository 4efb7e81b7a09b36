// Zip archives, read through libzip. npz.cc writes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file.h"

// libzip's own types, declared here so that users of this header need not include libzip's.
struct zip;
struct zip_file;

namespace wordbreadth::arrays {

struct ZipEntry {
    std::string name;
    std::uint64_t size = 0;             // announced, unpacked
    std::uint64_t compressed_size = 0;  // announced
    bool deflated = false;              // else stored as it is
};

class ZipMember;

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
    struct Discard {
        void operator()(zip* archive) const;
    };

    std::string path_;
    std::unique_ptr<zip, Discard> archive_;
};

// The unpacked bytes of one entry. Reading on to the end checks them against the archive's checksum.
class ZipMember : public base::Bytes {
  public:
    std::size_t read(std::span<std::byte> into) override;
    [[nodiscard]] const std::string& where() const override { return where_; }

  private:
    friend class Zip;
    ZipMember(zip_file* file, std::string where);

    struct Close {
        void operator()(zip_file* file) const;
    };

    std::string where_;
    std::unique_ptr<zip_file, Close> file_;
};

}  // namespace wordbreadth::arrays
