#include "parquet/values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "arrays/array_file.h"
#include "base/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::parquet {
namespace {

using Bytes = std::span<const std::byte>;

template <class Number>
Number number_at(const std::byte* bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

// Of one value; 0: it says so itself.
std::size_t width_of_value(const SchemaElement& element) {
    switch (element.physical.value_or(Physical::int96)) {
        case Physical::int32:
        case Physical::float32:
            return 4;
        case Physical::int64:
        case Physical::float64:
            return 8;
        case Physical::fixed_bytes:
            return static_cast<std::size_t>(element.length);
        default:
            return 0;
    }
}

void append_reals(const std::byte* bytes, arrays::Element type, std::size_t count, Decoded& into) {
    const std::size_t before = into.reals.size();
    into.reals.resize(before + count);
    if (type == arrays::Element::f32) {
        if (count > 0) std::memcpy(into.reals.data() + before, bytes, count * sizeof(float));
        return;
    }
    std::array<double, 1024> wide;
    for (std::size_t done = 0; done < count;) {
        const std::size_t some = std::min(count - done, wide.size());
        arrays::widen(bytes + done * arrays::bytes_of(type), type, std::span(wide).first(some));
        for (std::size_t i = 0; i < some; ++i) {
            const auto narrow = static_cast<float>(wide[i]);
            into.overflows |= std::isfinite(wide[i]) && !std::isfinite(narrow);
            into.reals[before + done + i] = narrow;
        }
        done += some;
    }
}

void append_fixed(const std::byte* bytes, const SchemaElement& element, std::size_t count, Decoded& into) {
    switch (*element.physical) {
        case Physical::float32:
            return append_reals(bytes, arrays::Element::f32, count, into);
        case Physical::float64:
            return append_reals(bytes, arrays::Element::f64, count, into);
        case Physical::fixed_bytes:
            return append_reals(bytes, arrays::Element::f16, count, into);
        case Physical::int32:
            for (std::size_t i = 0; i < count; ++i) {
                const auto number = number_at<std::int32_t>(bytes + 4 * i);
                into.wholes.push_back(element.logical == Logical::unsigned_integer
                                          ? std::int64_t{static_cast<std::uint32_t>(number)}
                                          : number);
            }
            return;
        default:
            for (std::size_t i = 0; i < count; ++i) into.wholes.push_back(number_at<std::int64_t>(bytes + 8 * i));
    }
}

// DELTA_BINARY_PACKED: blocks of differences, of which each has a least, and packed in miniblocks.
class DeltaReader {
  public:
    DeltaReader(const std::string& where, Bytes& bytes) : where_(where), bytes_(bytes) {}

    std::vector<std::int64_t> all(std::size_t expected) {
        const std::uint64_t block = varint(), miniblocks = varint(), total = varint();
        std::uint64_t value = unzigzag(varint());
        const std::uint64_t of_miniblock = miniblocks == 0 ? 0 : block / miniblocks;
        if (total > expected || miniblocks > 1024 || of_miniblock == 0 || of_miniblock > 65536 || of_miniblock % 8 != 0)
            refuse();
        std::vector<std::int64_t> numbers;
        if (total > 0) numbers.push_back(static_cast<std::int64_t>(value));
        while (numbers.size() < total) {
            const std::uint64_t least = unzigzag(varint());
            const Bytes widths = take(miniblocks);
            for (const std::byte width : widths) {
                if (numbers.size() == total) break;  // miniblocks without values take no bytes
                add_miniblock(std::to_integer<unsigned>(width), least, of_miniblock, total, value, numbers);
            }
        }
        return numbers;
    }

  private:
    [[noreturn]] void refuse() const {
        base::fail(where_, "has a page of delta-encoded values that is damaged; the file is damaged");
    }

    static std::uint64_t unzigzag(std::uint64_t value) { return (value >> 1) ^ (~(value & 1) + 1); }

    Bytes take(std::uint64_t size) {
        if (size > bytes_.size()) refuse();
        const Bytes taken = bytes_.first(size);
        bytes_ = bytes_.subspan(size);
        return taken;
    }

    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto next = std::to_integer<std::uint64_t>(take(1).front());
            value |= (next & 0x7F) << shift;
            if ((next & 0x80) == 0) return value;
        }
        refuse();
    }

    void add_miniblock(unsigned width, std::uint64_t least, std::uint64_t size, std::uint64_t total,
                       std::uint64_t& value, std::vector<std::int64_t>& numbers) {
        if (width > 64) refuse();
        const Bytes packed = take(width * size / 8);
        for (std::uint64_t i = 0; i < size && numbers.size() < total; ++i) {
            value += least + bits_at(packed, i * width, width);  // wraps, as the format has it
            numbers.push_back(static_cast<std::int64_t>(value));
        }
    }

    static std::uint64_t bits_at(Bytes packed, std::uint64_t bit, unsigned width) {
        std::uint64_t number = 0;
        for (unsigned got = 0; got < width;) {
            const auto byte = std::to_integer<std::uint64_t>(packed[bit / 8]) >> bit % 8;
            number |= byte << got;
            const auto step = static_cast<unsigned>(8 - bit % 8);
            got += step;
            bit += step;
        }
        return width == 64 ? number : number & ((std::uint64_t{1} << width) - 1);
    }

    const std::string& where_;
    Bytes& bytes_;
};

}  // namespace

void PageValues::refuse() const {
    base::fail(*where_, "has a page with fewer values than it says; the file is damaged");
}

std::span<const std::byte> PageValues::take(std::uint64_t bytes) {
    if (bytes > bytes_.size()) refuse();
    const Bytes taken = bytes_.first(bytes);
    bytes_ = bytes_.subspan(bytes);
    return taken;
}

PageValues::PageValues(const std::string& where, const SchemaElement& element, Encoding encoding, std::size_t count,
                       std::span<const std::byte> bytes, const Decoded* dictionary)
    : where_(&where), element_(&element), encoding_(encoding), bytes_(bytes), dictionary_(dictionary) {
    const bool is_text = element.physical == Physical::bytes;
    const bool is_whole = element.physical == Physical::int32 || element.physical == Physical::int64;
    switch (encoding) {
        case Encoding::plain:
            return;
        case Encoding::plain_dictionary:
        case Encoding::rle_dictionary: {
            if (dictionary == nullptr) base::fail(where, "refers to a dictionary that is missing; the file is damaged");
            if (count == 0) return;
            const auto width = std::to_integer<unsigned>(take(1).front());
            if (width > 32) refuse();
            places_ = HybridReader(where, bytes_, width);
            return;
        }
        case Encoding::byte_stream_split:
            if (!is_text) return;
            break;
        case Encoding::delta_binary_packed:
            if (!is_whole) break;
            begin_delta(count);
            return;
        case Encoding::delta_length_byte_array:
        case Encoding::delta_byte_array:
            if (!is_text) break;
            begin_delta(count);
            return;
        default:
            break;
    }
    base::fail(where, "has an encoding that is not supported, number " +
                          std::to_string(static_cast<std::int32_t>(encoding)) +
                          "; write the file again with plain or dictionary encoding");
}

void PageValues::begin_delta(std::size_t count) {
    if (count > limits::parquet_delta_values)
        base::fail(*where_, "has a page of " + std::to_string(count) + " delta-encoded values; at most " +
                                std::to_string(limits::parquet_delta_values) + " are accepted");
    DeltaReader delta(*where_, bytes_);
    if (encoding_ == Encoding::delta_binary_packed) {
        decoded_.wholes = delta.all(count);
        return;
    }
    const bool has_prefixes = encoding_ == Encoding::delta_byte_array;
    const std::vector<std::int64_t> prefixes = has_prefixes ? delta.all(count) : std::vector<std::int64_t>();
    const std::vector<std::int64_t> lengths = delta.all(count);
    if (has_prefixes && prefixes.size() != lengths.size()) refuse();
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const std::size_t before = decoded_.texts.empty() ? 0 : decoded_.texts.back().size();
        const std::int64_t prefix = has_prefixes ? prefixes[i] : 0;
        if (lengths[i] < 0 || prefix < 0 || static_cast<std::uint64_t>(prefix) > before) refuse();
        std::string text = prefix == 0 ? "" : decoded_.texts.back().substr(0, static_cast<std::size_t>(prefix));
        const Bytes more = take(static_cast<std::uint64_t>(lengths[i]));
        text.append(reinterpret_cast<const char*>(more.data()), more.size());
        total += text.size();
        if (total > limits::parquet_page_bytes) refuse();  // prefixes of prefixes grow without end
        decoded_.texts.push_back(std::move(text));
    }
}

const std::byte* PageValues::in_place(std::size_t count) {
    if (encoding_ != Encoding::plain || element_->physical != Physical::float32) return nullptr;
    return count <= bytes_.size() / sizeof(float) ? take(count * sizeof(float)).data() : nullptr;
}

void PageValues::read_plain(std::size_t count, Decoded& into) {
    if (element_->physical != Physical::bytes) {
        const std::size_t width = width_of_value(*element_);
        if (width == 0 || count > bytes_.size() / width) refuse();
        return append_fixed(take(count * width).data(), *element_, count, into);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto size = number_at<std::uint32_t>(take(sizeof(std::uint32_t)).data());
        const Bytes text = take(size);
        into.texts.emplace_back(reinterpret_cast<const char*>(text.data()), text.size());
    }
}

// Byte k of all values lies together, for each k: of those that are there, which may be fewer than the page has places.
void PageValues::read_split(std::size_t count, Decoded& into) {
    const std::size_t width = width_of_value(*element_);
    if (width == 0 || width > 8 || bytes_.size() % width != 0) refuse();
    const std::size_t values = bytes_.size() / width;
    if (count > values - std::min(next_, values)) refuse();
    std::array<std::byte, 8> value{};
    for (std::size_t i = 0; i < count; ++i, ++next_) {
        for (std::size_t k = 0; k < width; ++k) value[k] = bytes_[k * values + next_];
        append_fixed(value.data(), *element_, 1, into);
    }
}

void PageValues::read_from(const Decoded& source, std::size_t place, Decoded& into) const {
    if (place < source.reals.size())
        into.reals.push_back(source.reals[place]);
    else if (place < source.wholes.size())
        into.wholes.push_back(source.wholes[place]);
    else if (place < source.texts.size())
        into.texts.push_back(source.texts[place]);
    else
        refuse();
}

void PageValues::read(std::size_t count, Decoded& into) {
    if (encoding_ == Encoding::plain) return read_plain(count, into);
    if (encoding_ == Encoding::byte_stream_split) return read_split(count, into);
    const bool has_dictionary = encoding_ == Encoding::plain_dictionary || encoding_ == Encoding::rle_dictionary;
    if (has_dictionary) into.overflows |= dictionary_->overflows;
    for (std::size_t i = 0; i < count; ++i)
        read_from(has_dictionary ? *dictionary_ : decoded_, has_dictionary ? places_.next() : next_++, into);
}

}  // namespace wordbreadth::parquet
