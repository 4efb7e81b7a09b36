#include "parquet/thrift.h"

#include "base/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::parquet {
namespace {

std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

std::int64_t from_zigzag(std::uint64_t value) {
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

void append_list(std::string& bytes, ThriftType type, std::size_t size) {
    const auto low = static_cast<unsigned>(type);
    bytes += static_cast<char>((size < 15 ? size : 15) << 4 | low);
    if (size >= 15) append_varint(bytes, size);
}

}  // namespace

void append_varint(std::string& bytes, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
}

void ThriftWriter::field(int id, ThriftType type) {
    const int step = id - last_ids_.back();
    last_ids_.back() = id;
    bytes_ += static_cast<char>(static_cast<unsigned>(step) << 4 | static_cast<unsigned>(type));  // ids are close
}

void ThriftWriter::integer(int id, ThriftType type, std::int64_t value) {
    field(id, type);
    if (type == ThriftType::byte)
        bytes_ += static_cast<char>(value);
    else
        element(value);
}

void ThriftWriter::text(int id, std::string_view value) {
    field(id, ThriftType::binary);
    element(value);
}

void ThriftWriter::begin(int id) {
    field(id, ThriftType::structure);
    begin();
}

void ThriftWriter::begin_list(int id, ThriftType type, std::size_t size) {
    field(id, ThriftType::list);
    append_list(bytes_, type, size);
}

void ThriftWriter::begin() {
    last_ids_.push_back(0);
}

void ThriftWriter::element(std::int64_t value) {
    append_varint(bytes_, zigzag(value));
}

void ThriftWriter::element(std::string_view value) {
    append_varint(bytes_, value.size());
    bytes_ += value;
}

void ThriftWriter::end() {
    last_ids_.pop_back();
    bytes_ += '\0';
}

void ThriftReader::refuse(std::string_view what) const {
    base::fail(where_, std::string(what) + "; the file is damaged, or not a Parquet file");
}

void ThriftReader::enter() {
    if (++depth_ > limits::json_depth) refuse("its description is nested more deeply than Parquet's is");
}

std::span<const std::byte> ThriftReader::take(std::uint64_t bytes) {
    if (bytes > rest_.size()) refuse("its description is cut off");
    const std::span<const std::byte> taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return taken;
}

std::uint8_t ThriftReader::byte() {
    return std::to_integer<std::uint8_t>(take(1).front());
}

std::uint64_t ThriftReader::varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const std::uint64_t next = byte();
        value |= (next & 0x7F) << shift;
        if ((next & 0x80) == 0) return value;
    }
    refuse("its description has a number of more than 64 bits");
}

ThriftReader::Field ThriftReader::next_field(int last) {
    const std::uint8_t header = byte();
    const auto type = static_cast<ThriftType>(header & 0x0F);
    if (type == ThriftType::stop) return {};
    if (type > ThriftType::structure) refuse("its description has a field of unknown type");
    const int step = header >> 4;
    if (step != 0) return {last + step, type};
    return {static_cast<int>(static_cast<std::int16_t>(from_zigzag(varint()))), type};
}

std::int64_t ThriftReader::element() {
    if (element_type_ == ThriftType::byte) return static_cast<std::int8_t>(byte());
    return from_zigzag(varint());
}

std::int64_t ThriftReader::integer(ThriftType type) {
    if (type == ThriftType::byte) return static_cast<std::int8_t>(byte());
    if (type != ThriftType::int16 && type != ThriftType::int32 && type != ThriftType::int64)
        refuse("its description has no number where one belongs");
    return from_zigzag(varint());
}

std::string ThriftReader::text() {
    const std::span<const std::byte> bytes = take(varint());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string ThriftReader::text(ThriftType type) {
    if (type != ThriftType::binary) refuse("its description has no text where some belongs");
    return text();
}

bool ThriftReader::truth(ThriftType type) {
    if (type != ThriftType::yes && type != ThriftType::no)
        refuse("its description has no truth value where one belongs");
    return type == ThriftType::yes;
}

std::size_t ThriftReader::list_size(ThriftType type) {
    if (type != ThriftType::list) refuse("its description has no list where one belongs");
    const std::uint8_t header = byte();
    element_type_ = static_cast<ThriftType>(header & 0x0F);
    const std::uint64_t size = header >> 4 == 15 ? varint() : header >> 4;
    if (size > rest_.size()) refuse("its description has a list of " + std::to_string(size) + " elements");
    return size;
}

void ThriftReader::skip_elements() {
    const std::size_t size = list_size(ThriftType::list);
    ThriftType type = element_type_;
    if (type == ThriftType::no) type = ThriftType::byte;  // truth values of a list take a byte each
    if (type == ThriftType::yes) type = ThriftType::byte;
    for (std::size_t i = 0; i < size; ++i) skip(type);
}

void ThriftReader::skip(ThriftType type) {
    enter();
    switch (type) {
        case ThriftType::yes:
        case ThriftType::no:
            break;
        case ThriftType::byte:
            static_cast<void>(byte());
            break;
        case ThriftType::int16:
        case ThriftType::int32:
        case ThriftType::int64:
            static_cast<void>(varint());
            break;
        case ThriftType::real:
            take(8);
            break;
        case ThriftType::binary:
            take(varint());
            break;
        case ThriftType::list:
        case ThriftType::set:
            skip_elements();
            break;
        case ThriftType::structure:
            structure([](int, ThriftType) { return false; });
            break;
        default:
            refuse("its description has a field of unknown type");
    }
    --depth_;
}

}  // namespace wordbreadth::parquet
