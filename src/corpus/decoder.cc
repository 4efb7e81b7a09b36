#include "corpus/decoder.h"

#include <unicode/utf16.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "base/failure.h"
#include "base/names.h"
#include "base/utf8.h"

namespace wordbreadth::corpus {

namespace {

using namespace std::string_view_literals;

// UTF-32 before UTF-16, whose little-endian mark it starts with.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> marks{{
    {"\xFF\xFE\0\0"sv, "UTF-32LE"},
    {"\0\0\xFE\xFF"sv, "UTF-32BE"},
    {"\xFF\xFE"sv, "UTF-16LE"},
    {"\xFE\xFF"sv, "UTF-16BE"},
    {"\xEF\xBB\xBF"sv, utf_8},
}};

// The usual ones first, since those are listed when no name is close.
std::vector<std::string> all_names() {
    const std::vector<std::string> usual{"utf-8", "windows-1252", "latin1", "utf-16", "shift_jis"};
    std::vector<std::string> names = usual;
    for (std::int32_t i = 0; i < ucnv_countAvailable(); ++i) {
        const char* const converter = ucnv_getAvailableName(i);
        UErrorCode error = U_ZERO_ERROR;
        const std::uint16_t aliases = ucnv_countAliases(converter, &error);
        for (std::uint16_t j = 0; j < aliases; ++j) {
            std::string alias = ucnv_getAlias(converter, j, &error);
            const auto is_alias = [&](const std::string& name) {
                return ucnv_compareNames(name.c_str(), alias.c_str()) == 0;
            };
            if (std::ranges::none_of(usual, is_alias)) names.push_back(std::move(alias));
        }
    }
    return names;
}

std::string name_of(const UConverter* converter) {
    UErrorCode error = U_ZERO_ERROR;
    return ucnv_getName(converter, &error);
}

constexpr std::size_t units_at_a_time = 16 * 1024;

bool means_invalid(UErrorCode error) {
    return error == U_INVALID_CHAR_FOUND || error == U_ILLEGAL_CHAR_FOUND || error == U_TRUNCATED_CHAR_FOUND ||
           error == U_ILLEGAL_ESCAPE_SEQUENCE || error == U_UNSUPPORTED_ESCAPE_SEQUENCE;
}

void require_success(UErrorCode error) {
    if (error == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
    if (U_FAILURE(error)) base::fail("ICU", std::string("text cannot be converted: ") + u_errorName(error));
}

constexpr std::size_t bytes_at_a_time = 64 * 1024;  // a multiple of every unit, so that none is cut
constexpr std::int32_t replacement = 0xFFFD;

// Null when ICU knows no encoding of that name.
ConverterPointer open_converter(const std::string& encoding) {
    if (encoding.empty()) return nullptr;  // to ICU, the locale's
    UErrorCode error = U_ZERO_ERROR;
    ConverterPointer converter(ucnv_open(encoding.c_str(), &error));
    if (error == U_AMBIGUOUS_ALIAS_WARNING) error = U_ZERO_ERROR;
    return U_FAILURE(error) ? nullptr : std::move(converter);
}

}  // namespace

std::string encoding_named(const std::string& name) {
    const ConverterPointer found = open_converter(name);
    if (!found) base::fail_missing("ICU", name, all_names(), "encoding");
    std::string internal = name_of(found.get());
    for (const char* standard : {"MIME", "IANA"}) {
        UErrorCode error = U_ZERO_ERROR;
        const char* const known = ucnv_getStandardName(internal.c_str(), standard, &error);
        if (U_FAILURE(error) || known == nullptr) continue;
        const ConverterPointer same = open_converter(known);
        if (same && name_of(same.get()) == internal) return known;
    }
    return internal;
}

std::string_view encoding_of_mark(std::string_view start) {
    for (const auto& [mark, encoding] : marks)
        if (start.starts_with(mark)) return encoding;
    return {};
}

std::size_t unit_bytes(const std::string& encoding) {
    const ConverterPointer converter = open_converter(encoding);
    return converter ? static_cast<std::size_t>(ucnv_getMinCharSize(converter.get())) : 1;
}

void InvalidText::add(const InvalidText& other) {
    count += other.count;
    for (const std::string& place : other.places)
        if (places.size() < places_kept) places.push_back(place);
}

Decoder::Decoder(base::Bytes& source, const Decoding& decoding) : source_(source), decoding_(decoding) {
    if (decoding_.encoding == utf_8) return;
    converter_ = open_converter(decoding_.encoding);
    if (!converter_) base::fail("ICU", "has no encoding " + base::in_quotes(decoding_.encoding));
    unit_bytes_ = unit_bytes(decoding_.encoding);
    UErrorCode error = U_ZERO_ERROR;
    ucnv_setToUCallBack(converter_.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &error);
    require_success(error);
    units_.resize(units_at_a_time);
    offsets_.resize(units_at_a_time);
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
    while (convert_some(raw.substr(at), at) || at < raw.size()) continue;
    if (ended_) drop_half_pair();
    raw_begin_ += raw_.size();
    raw_.clear();
}

// Converts from the front of `bytes` until they, the room for units, or what is valid ends, and adds to `at` how many
// were used. ICU keeps a character that is cut at their end. False when nothing came of them.
bool Decoder::convert_some(std::string_view bytes, std::size_t& at) {
    const std::uint64_t position = raw_begin_ + static_cast<std::uint64_t>(bytes.data() - raw_.data());
    const char* from = bytes.data();
    char16_t* to = units_.data();
    UErrorCode error = U_ZERO_ERROR;
    ucnv_toUnicode(converter_.get(), &to, to + units_at_a_time, &from, bytes.data() + bytes.size(), offsets_.data(),
                   static_cast<UBool>(ended_), &error);
    const auto used = static_cast<std::size_t>(from - bytes.data());
    size_ = static_cast<std::size_t>(to - units_.data());
    at += used;
    take_units(position);
    if (error == U_BUFFER_OVERFLOW_ERROR) return true;
    if (!means_invalid(error)) {
        require_success(error);
        return size_ > 0;
    }
    std::array<char, 32> invalid{};
    auto size = static_cast<std::int8_t>(invalid.size());
    error = U_ZERO_ERROR;
    ucnv_getInvalidChars(converter_.get(), invalid.data(), &size, &error);
    require_success(error);
    const auto read_ahead = static_cast<std::uint64_t>(ucnv_toUCountPending(converter_.get(), &error));
    drop_half_pair();
    reject(position + used - read_ahead - static_cast<std::uint64_t>(size), invalid.front());
    return true;
}

void Decoder::take_units(std::uint64_t position) {
    for (std::size_t i = 0; i < size_; ++i) {
        const char16_t unit = units_[i];
        const std::uint64_t here = position + static_cast<std::uint64_t>(std::max(offsets_[i], 0));
        if (half_pair_ != 0 && U16_IS_TRAIL(unit)) {
            base::append_character(text_, U16_GET_SUPPLEMENTARY(std::exchange(half_pair_, u'\0'), unit));
            continue;
        }
        drop_half_pair();
        if (U16_IS_LEAD(unit)) {
            half_pair_ = unit;
            half_pair_position_ = here;
            half_pair_byte_ = raw_[here - raw_begin_];
        } else if (unit == 0 || U16_IS_TRAIL(unit)) {
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
