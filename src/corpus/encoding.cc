#include "corpus/encoding.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/names.h"

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

ConverterPointer open_converter(const std::string& encoding) {
    if (encoding.empty()) return nullptr;  // to ICU, the locale's
    UErrorCode error = U_ZERO_ERROR;
    ConverterPointer converter(ucnv_open(encoding.c_str(), &error));
    if (error == U_AMBIGUOUS_ALIAS_WARNING) error = U_ZERO_ERROR;
    return U_FAILURE(error) ? nullptr : std::move(converter);
}

Converter::Converter(const std::string& encoding) : converter_(open_converter(encoding)) {
    if (!converter_) base::fail("ICU", "has no encoding " + base::in_quotes(encoding));
    UErrorCode error = U_ZERO_ERROR;
    ucnv_setToUCallBack(converter_.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &error);
    require_success(error);
}

void Converter::convert(std::string_view bytes, bool last, Converted& converted) {
    converted.units.resize(units_at_a_time);
    converted.offsets.resize(units_at_a_time);
    const char* from = bytes.data();
    char16_t* to = converted.units.data();
    UErrorCode error = U_ZERO_ERROR;
    ucnv_toUnicode(converter_.get(), &to, to + units_at_a_time, &from, bytes.data() + bytes.size(),
                   converted.offsets.data(), static_cast<UBool>(last), &error);
    converted.size = static_cast<std::size_t>(to - converted.units.data());
    converted.used = static_cast<std::size_t>(from - bytes.data());
    converted.invalid.clear();
    converted.read_ahead = 0;
    if (error == U_BUFFER_OVERFLOW_ERROR) return;
    if (!means_invalid(error)) return require_success(error);
    std::array<char, 32> invalid{};
    auto size = static_cast<std::int8_t>(invalid.size());
    error = U_ZERO_ERROR;
    ucnv_getInvalidChars(converter_.get(), invalid.data(), &size, &error);
    require_success(error);
    converted.invalid.assign(invalid.data(), static_cast<std::size_t>(size));
    converted.read_ahead = static_cast<std::size_t>(ucnv_toUCountPending(converter_.get(), &error));
}

}  // namespace wordbreadth::corpus
