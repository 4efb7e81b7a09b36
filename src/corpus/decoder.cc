#include "corpus/decoder.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "base/failure.h"
#include "base/utf8.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::size_t bytes_at_a_time = 64 * 1024;  // a multiple of every unit, so that none is cut
constexpr std::int32_t replacement = 0xFFFD;

bool is_leading(char16_t unit) {
    return (unit & 0xFC00) == 0xD800;
}

bool is_trailing(char16_t unit) {
    return (unit & 0xFC00) == 0xDC00;
}

std::int32_t character_of(char16_t leading, char16_t trailing) {
    return 0x10000 + ((leading - 0xD800) << 10) + (trailing - 0xDC00);
}

}  // namespace

void InvalidText::add(const InvalidText& other) {
    count += other.count;
    for (const std::string& place : other.places)
        if (places.size() < places_kept) places.push_back(place);
}

Decoder::Decoder(base::Bytes& source, const Decoding& decoding) : source_(source), decoding_(decoding) {
    if (decoding_.encoding == utf_8) return;
    converter_.emplace(decoding_.encoding);
    unit_bytes_ = unit_bytes(decoding_.encoding);
}

std::size_t Decoder::read(std::span<std::byte> into) {
    std::size_t filled = 0;
    while (filled < into.size()) {
        if (begin_ == text_.size()) {
            if (ended_) break;
            fill();
        }
        const std::size_t count = std::min(into.size() - filled, text_.size() - begin_);
        if (count > 0) std::memcpy(into.data() + filled, text_.data() + begin_, count);
        filled += count;
        begin_ += count;
    }
    return filled;
}

void Decoder::fill() {
    text_.clear();
    begin_ = 0;
    ended_ = !source_.append_to(raw_, bytes_at_a_time);
    converter_ ? convert() : decode_utf8();
}

// A character that is cut at the end of what was read waits for the rest of it.
void Decoder::decode_utf8() {
    const std::string_view raw = raw_;
    std::size_t at = 0;
    while (at < raw.size()) {
        const std::size_t fault = std::min(base::first_fault(raw.substr(at)), raw.size() - at);
        take(raw.substr(at, fault), raw_begin_ + at);
        at += fault;
        if (at == raw.size()) break;
        std::size_t after = at;
        const bool is_cut = base::next_character(raw, after) < 0 && after == raw.size() && !ended_;
        if (is_cut) break;
        reject(raw_begin_ + at, raw[at]);
        at = after;
    }
    raw_.erase(0, at);
    raw_begin_ += at;
}

void Decoder::take(std::string_view good, std::uint64_t position) {
    text_ += good;
    const std::size_t line_end = good.rfind('\n');
    if (line_end == std::string_view::npos) return;
    line_ += static_cast<std::uint64_t>(std::ranges::count(good, '\n'));
    line_begin_ = position + line_end + 1;
}

void Decoder::convert() {
    const std::string_view raw = raw_;
    std::size_t at = 0;
    do {
        converter_->convert(raw.substr(at), ended_, converted_);
        take_units(raw_begin_ + at);
        at += converted_.used;
        const std::string& invalid = converted_.invalid;
        if (invalid.empty()) continue;
        drop_half_pair();
        reject(raw_begin_ + at - converted_.read_ahead - invalid.size(), invalid.front());
    } while (at < raw.size() || !converted_.invalid.empty() || converted_.size > 0);
    if (ended_) drop_half_pair();
    raw_begin_ += raw_.size();
    raw_.clear();
}

void Decoder::take_units(std::uint64_t position) {
    for (std::size_t i = 0; i < converted_.size; ++i) {
        const char16_t unit = converted_.units[i];
        const std::uint64_t here = position + static_cast<std::uint64_t>(std::max(converted_.offsets[i], 0));
        if (half_pair_ != 0 && is_trailing(unit)) {
            base::append_character(text_, character_of(std::exchange(half_pair_, u'\0'), unit));
            continue;
        }
        drop_half_pair();
        if (is_leading(unit)) {
            half_pair_ = unit;
            half_pair_position_ = here;
            half_pair_byte_ = raw_[here - raw_begin_];
        } else if (unit == 0 || is_trailing(unit)) {
            reject(here, raw_[here - raw_begin_]);
        } else {
            base::append_character(text_, unit);
        }
        if (unit != u'\n') continue;
        ++line_;
        line_begin_ = here + unit_bytes_;
    }
}

// Some encodings, such as UTF-7, can spell half a character.
void Decoder::drop_half_pair() {
    if (half_pair_ == 0) return;
    half_pair_ = 0;
    reject(half_pair_position_, half_pair_byte_);
}

void Decoder::reject(std::uint64_t position, char first_byte) {
    const std::uint64_t byte = position - line_begin_ + 1;
    if (decoding_.invalid == InvalidBytes::error) fail_invalid(byte, first_byte);
    ++invalid_.count;
    if (invalid_.places.size() < InvalidText::places_kept)
        invalid_.places.push_back(where() + ":" + std::to_string(line_) + ", byte " + std::to_string(byte));
    if (decoding_.invalid == InvalidBytes::replace) base::append_character(text_, replacement);
}

void Decoder::fail_invalid(std::uint64_t byte, char first) const {
    const std::string start = "byte " + std::to_string(byte) + " of the line";
    if (first == '\0' && unit_bytes_ == 1)
        base::fail_at(where(), line_, start + " is NUL; expected " + decoding_.encoding + " text, not a binary file");
    base::fail_at(
        where(), line_,
        start + ", " + base::hexadecimal(first) + ", is not " + decoding_.encoding +
            "; name the encoding of the text, such as windows-1252, or have invalid bytes skipped or replaced");
}

}  // namespace wordbreadth::corpus
