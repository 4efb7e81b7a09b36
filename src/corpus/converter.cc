#include "corpus/converter.h"

#include <array>
#include <new>

#include "corpus/failure.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::size_t units_at_a_time = 16 * 1024;

bool means_invalid(UErrorCode error) {
    return error == U_INVALID_CHAR_FOUND || error == U_ILLEGAL_CHAR_FOUND || error == U_TRUNCATED_CHAR_FOUND ||
           error == U_ILLEGAL_ESCAPE_SEQUENCE || error == U_UNSUPPORTED_ESCAPE_SEQUENCE;
}

void require_success(UErrorCode error) {
    if (error == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
    if (U_FAILURE(error)) fail("ICU", std::string("text cannot be converted: ") + u_errorName(error));
}

}  // namespace

ConverterPointer open_converter(const std::string& encoding) {
    if (encoding.empty()) return nullptr;  // to ICU, the locale's
    UErrorCode error = U_ZERO_ERROR;
    ConverterPointer converter(ucnv_open(encoding.c_str(), &error));
    if (error == U_AMBIGUOUS_ALIAS_WARNING) error = U_ZERO_ERROR;
    return U_FAILURE(error) ? nullptr : std::move(converter);
}

Converter::Converter(const std::string& encoding) : converter_(open_converter(encoding)) {
    if (!converter_) fail("ICU", "has no encoding " + in_quotes(encoding));
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
