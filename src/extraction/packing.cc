#include "extraction/packing.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "base/failure.h"

namespace wordbreadth::extraction {

namespace {

constexpr std::size_t frame_bytes = 256 * 1024;  // from which on a frame ends
constexpr std::size_t largest_frame = std::size_t{1} << 30;
constexpr std::size_t head_bytes = 8;  // of a frame and of a record: its size and checksum
constexpr std::size_t window_bytes = 256 * 1024;
constexpr std::uint64_t no_record = ~std::uint64_t{0};

std::uint32_t checksum(std::string_view bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

void write(base::OutputFile& file, std::string_view bytes) {
    file.write(std::as_bytes(std::span(bytes)));
}

}  // namespace

void fail_damaged(const std::string& path) {
    base::fail(path, "is damaged; remove its folder, and plan this part again");
}

void Packer::number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80U);
    bytes_ += static_cast<char>(value);
}

void Packer::fixed32(std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes_ += static_cast<char>(value >> (8 * i));
}

void Packer::fixed64(std::uint64_t value) {
    fixed32(static_cast<std::uint32_t>(value));
    fixed32(static_cast<std::uint32_t>(value >> 32));
}

void Packer::text(std::string_view value) {
    number(value.size());
    bytes_ += value;
}

void Unpacker::fail() const {
    fail_damaged(*where_);
}

std::uint64_t Unpacker::number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (rest_.empty()) fail();
        const auto byte = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) return value;
    }
    fail();
}

std::uint32_t Unpacker::small() {
    const std::uint64_t value = number();
    if (value > std::numeric_limits<std::uint32_t>::max()) fail();
    return static_cast<std::uint32_t>(value);
}

std::uint32_t Unpacker::fixed32() {
    const std::string_view bytes = raw(4);
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return value;
}

std::uint64_t Unpacker::fixed64() {
    const std::uint64_t low = fixed32();
    return low | std::uint64_t{fixed32()} << 32;
}

std::string_view Unpacker::text() {
    return raw(number());
}

std::string_view Unpacker::raw(std::size_t size) {
    if (size > rest_.size()) fail();
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
}

void FrameWriter::end_item() {
    if (frame_.bytes().size() >= frame_bytes) end_frame();
}

void FrameWriter::end_frame() {
    Packer head;
    head.fixed32(static_cast<std::uint32_t>(frame_.bytes().size()));
    head.fixed32(checksum(frame_.bytes()));
    write(file_, head.bytes());
    write(file_, frame_.bytes());
    frame_.clear();
}

// The last frame is an empty one: a file that is cut between frames is damaged, too.
void FrameWriter::keep() {
    if (!frame_.bytes().empty()) end_frame();
    end_frame();
    file_.keep();
}

bool FrameReader::more() {
    if (!items_.done()) return true;
    if (ended_) return false;
    std::string head;
    file_.append_to(head, head_bytes);
    if (head.size() != head_bytes) fail_damaged(file_.where());
    Unpacker numbers(head, file_.where());
    const std::uint32_t size = numbers.fixed32(), sum = numbers.fixed32();
    if (size > largest_frame) fail_damaged(file_.where());
    frame_.clear();
    file_.append_to(frame_, size);
    if (frame_.size() != size || checksum(frame_) != sum) fail_damaged(file_.where());
    items_ = Unpacker(frame_, file_.where());
    ended_ = size == 0;
    return !ended_;
}

void RecordWriter::add(std::string_view record) {
    offsets_.fixed64(record.empty() ? no_record : end_);
    if (!record.empty()) {
        records_.fixed32(static_cast<std::uint32_t>(record.size()));
        records_.fixed32(checksum(record));
        records_.raw(record);
        end_ += head_bytes + record.size();
    }
    if (records_.bytes().size() + offsets_.bytes().size() >= frame_bytes) flush();
}

void RecordWriter::flush() {
    write(file_, records_.bytes());
    write(index_, offsets_.bytes());
    records_.clear();
    offsets_.clear();
}

void RecordWriter::keep() {
    flush();
    file_.keep();
    index_.keep();
}

std::string_view RecordReader::Window::at(std::uint64_t offset, std::size_t size) {
    if (offset > file_.size() || size > file_.size() - offset) fail_damaged(file_.where());
    if (offset < begin_ || offset + size > begin_ + bytes_.size()) {
        file_.seek(offset);
        bytes_.clear();
        begin_ = offset;
        file_.append_to(bytes_, std::max(size, window_bytes));
        if (bytes_.size() < size) fail_damaged(file_.where());
    }
    return std::string_view(bytes_).substr(offset - begin_, size);
}

std::string_view RecordReader::read(std::uint64_t number) {
    const std::uint64_t offset = Unpacker(index_.at(8 * number, 8), index_.where()).fixed64();
    if (offset == no_record) return {};
    Unpacker head(file_.at(offset, head_bytes), file_.where());
    const std::uint32_t size = head.fixed32(), sum = head.fixed32();
    const std::string_view record = file_.at(offset + head_bytes, size);
    if (checksum(record) != sum) fail_damaged(file_.where());
    return record;
}

}  // namespace wordbreadth::extraction
