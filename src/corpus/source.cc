#include "corpus/source.h"

#include <array>

namespace wordbreadth::corpus {

namespace {

bool is_gzip(store::File& file) {
    std::array<std::byte, 2> magic{};
    const bool found = file.read(magic) == magic.size() && magic == std::array{std::byte{0x1F}, std::byte{0x8B}};
    file.seek(0);
    return found;
}

}  // namespace

Source::Source(const std::string& path) : file_(path) {
    if (is_gzip(file_)) inflater_ = std::make_unique<Inflater>(file_);
}

std::size_t Source::read(std::span<std::byte> into) {
    if (inflater_) return inflater_->read(into);
    const std::size_t found = file_.read(into);
    consumed_ += found;
    return found;
}

}  // namespace wordbreadth::corpus
