// The bytes of a corpus file, unpacked where it is a gzip file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/bytes.h"
#include "corpus/inflater.h"

namespace wordbreadth::corpus {

class Spool;

class Source : public base::Bytes {
  public:
    // Reads `spool`, which outlives this, where there is one. Throws InputError when there is no regular file of that
    // path or it may not be read.
    explicit Source(const std::string& path, const Spool* spool = nullptr);

    // Also throws InputError when the gzip data are damaged or break off.
    std::size_t read(std::span<std::byte> into) override;

    [[nodiscard]] const std::string& where() const override { return file_->where(); }

    // Bytes of the file on disk that were read so far.
    [[nodiscard]] std::uint64_t consumed() const { return inflater_ ? inflater_->consumed() : consumed_; }

  private:
    std::unique_ptr<base::Bytes> file_;
    std::unique_ptr<Inflater> inflater_;  // none where the file is plain
    std::uint64_t consumed_ = 0;
};

}  // namespace wordbreadth::corpus
