#include "parquet/hybrid.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/failure.h"
#include "parquet/thrift.h"

namespace wordbreadth::parquet {
namespace {

constexpr std::size_t together = 8;  // numbers that are packed at least

// How many numbers from the first on are alike.
std::size_t run_of(std::span<const std::uint32_t> numbers) {
    const auto other = std::ranges::find_if(numbers, [&](std::uint32_t number) { return number != numbers.front(); });
    return static_cast<std::size_t>(other - numbers.begin());
}

// A multiple of 8, but for the last: up to the next run of 8, or the end.
std::size_t packed_before_a_run(std::span<const std::uint32_t> numbers) {
    std::size_t count = 0;
    while (count < numbers.size() &&
           run_of(numbers.subspan(count, std::min(together, numbers.size() - count))) < together)
        count += std::min(together, numbers.size() - count);
    return count;
}

void append_packed(std::string& bytes, std::span<const std::uint32_t> numbers, unsigned width) {
    const std::size_t groups = (numbers.size() + together - 1) / together;
    append_varint(bytes, groups << 1 | 1);
    std::uint64_t pending = 0;
    unsigned bits = 0;
    for (std::size_t i = 0; i < groups * together; ++i) {
        pending |= std::uint64_t{i < numbers.size() ? numbers[i] : 0} << bits;
        for (bits += width; bits >= 8; bits -= 8, pending >>= 8) bytes += static_cast<char>(pending);
    }
}

void append_run(std::string& bytes, std::uint32_t number, std::size_t count, unsigned width) {
    append_varint(bytes, count << 1);
    for (unsigned bit = 0; bit < width; bit += 8) bytes += static_cast<char>(number >> bit);
}

[[noreturn]] void refuse(const std::string& where) {
    base::fail(where, "has a page whose levels or dictionary indices are cut off; the file is damaged");
}

std::uint64_t read_varint(const std::string& where, std::span<const std::byte>& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        const auto next = std::to_integer<std::uint64_t>(bytes.front());
        bytes = bytes.subspan(1);
        value |= (next & 0x7F) << shift;
        if ((next & 0x80) == 0) return value;
    }
    refuse(where);
}

std::uint32_t read_run(const std::string& where, std::span<const std::byte>& bytes, unsigned width) {
    const std::size_t size = (width + 7) / 8;
    if (bytes.size() < size) refuse(where);
    std::uint32_t number = 0;
    std::memcpy(&number, bytes.data(), size);
    bytes = bytes.subspan(size);
    return number;
}

}  // namespace

unsigned width_of(std::uint64_t largest) {
    return static_cast<unsigned>(std::bit_width(largest));
}

void append_hybrid(std::string& bytes, std::span<const std::uint32_t> numbers, unsigned width) {
    while (!numbers.empty()) {
        if (const std::size_t packed = packed_before_a_run(numbers); packed > 0) {
            append_packed(bytes, numbers.first(packed), width);
            numbers = numbers.subspan(packed);
        }
        if (numbers.empty()) return;
        const std::size_t run = run_of(numbers);
        append_run(bytes, numbers.front(), run, width);
        numbers = numbers.subspan(run);
    }
}

void append_run(std::string& bytes, bool bit, std::size_t count) {
    append_run(bytes, bit ? 1U : 0U, count, 1);
}

void append_bits(std::string& bytes, std::span<const std::uint8_t> bits, std::size_t count) {
    const std::size_t groups = (count + together - 1) / together;
    append_varint(bytes, groups << 1 | 1);
    bytes.append(reinterpret_cast<const char*>(bits.data()), groups);
}

void HybridReader::begin_run() {
    const std::uint64_t header = read_varint(*where_, bytes_);
    is_packed_ = (header & 1) != 0;
    left_ = header >> 1;
    if (left_ == 0) refuse(*where_);  // lest many of these take for ever
    if (!is_packed_) {
        repeated_ = read_run(*where_, bytes_, width_);
        return;
    }
    // The last group may be cut off behind the numbers that count.
    const std::uint64_t size = width_ == 0 ? 0 : std::min<std::uint64_t>(left_, bytes_.size() / width_ + 1) * width_;
    packed_ = bytes_.first(std::min<std::uint64_t>(size, bytes_.size()));
    bytes_ = bytes_.subspan(packed_.size());
    left_ = width_ == 0 ? std::min(left_, std::uint64_t{1} << 60) * together : packed_.size() * 8 / width_;
    if (left_ == 0) refuse(*where_);
    bit_ = 0;
}

std::uint32_t HybridReader::packed_number() const {
    std::uint64_t word = 0;
    const std::size_t first = bit_ / 8;
    std::memcpy(&word, packed_.data() + first, std::min<std::size_t>(sizeof word, packed_.size() - first));
    return static_cast<std::uint32_t>(word >> bit_ % 8 & ((std::uint64_t{1} << width_) - 1));
}

std::uint32_t HybridReader::next() {
    if (left_ == 0) begin_run();
    --left_;
    if (!is_packed_) return repeated_;
    if (width_ == 0) return 0;
    const std::uint32_t number = packed_number();
    bit_ += width_;
    return number;
}

std::size_t HybridReader::skip_equal(std::uint32_t number, std::size_t most) {
    std::size_t found = 0;
    const bool fills_bytes = width_ == 1 || width_ == 2 || width_ == 4;
    const auto byte_of_number =
        fills_bytes ? static_cast<std::byte>(number * (0xFFU / ((1U << width_) - 1))) : std::byte{};
    while (found < most) {
        if (left_ == 0) begin_run();
        if (!is_packed_) {
            if (repeated_ != number) return found;
            const std::uint64_t step = std::min<std::uint64_t>(left_, most - found);
            left_ -= step;
            found += step;
            continue;
        }
        // A byte at a time, where it holds several: levels are mostly alike.
        const std::size_t of_a_byte = fills_bytes ? 8 / width_ : 0;
        if (fills_bytes && bit_ % 8 == 0 && left_ >= of_a_byte && most - found >= of_a_byte &&
            packed_[bit_ / 8] == byte_of_number) {
            bit_ += 8;
            left_ -= of_a_byte;
            found += of_a_byte;
            continue;
        }
        if ((width_ == 0 ? 0 : packed_number()) != number) return found;
        bit_ += width_;
        --left_;
        ++found;
    }
    return found;
}

}  // namespace wordbreadth::parquet
