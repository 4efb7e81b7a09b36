#include "corpus/source.h"

#include <array>

#include "base/file.h"
#include "corpus/spool.h"

namespace wordbreadth::corpus {

namespace {

std::unique_ptr<base::Bytes> open(const std::string& path, const Spool* spool) {
    if (spool != nullptr) return std::make_unique<SpooledBytes>(*spool);
    return std::make_unique<base::File>(path);
}

bool is_gzip(base::Bytes& bytes) {
    std::array<std::byte, 2> magic{};
    return bytes.read(magic) == magic.size() && magic == std::array{std::byte{0x1F}, std::byte{0x8B}};
}

}  // namespace

Source::Source(const std::string& path, const Spool* spool) : file_(open(path, spool)) {
    if (is_gzip(*open(path, spool))) inflater_ = std::make_unique<Inflater>(*file_);
}

std::size_t Source::read(std::span<std::byte> into) {
    if (inflater_) return inflater_->read(into);
    const std::size_t found = file_->read(into);
    consumed_ += found;
    return found;
}

}  // namespace wordbreadth::corpus
