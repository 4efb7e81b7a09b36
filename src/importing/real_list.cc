#include "importing/real_list.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>

// 7 to 11 ns per number, 16 to 24 with simdjson 3.0: digits are read eight at a time, and nothing branches on what is a
// coin toss, such as a sign. Slower (14 to 22 ns, by GCC 12 on an AMD EPYC of 2024; clang 8 to 12): to find the commas
// first, 64 bytes at a time, and to read 16 characters at a time with SSE4.1. std::optional in place of pointers and
// references costs 5 ns: GCC 12 takes it through memory.
namespace wordbreadth::importing {
namespace {

static_assert(std::endian::native == std::endian::little, "digits are read eight at a time, the first in the low byte");

constexpr int most_digits = 19;  // that always fit 64 bits

// Powers of 10, all exact in float64.
constexpr std::array<double, 23> powers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

const char* after_blanks(const char* at) {
    while (*at == ' ' || *at == '\t' || *at == '\r') ++at;
    return at;
}

// What eight digits make, the first in the low byte, each 0 to 9: first two by two, then four by four.
std::uint64_t number_of(std::uint64_t digits) {
    digits = (digits * (10 << 8 | 1)) >> 8;
    digits = ((digits & 0x00FF00FF00FF00FF) * (100 << 16 | 1)) >> 16;
    return ((digits & 0x0000FFFF0000FFFF) * (std::uint64_t{10'000} << 32 | 1)) >> 32;
}

struct Digits {
    const char* end;
    std::uint64_t number;  // wraps around
};

// The digits at `at`, behind those of `number`.
Digits digits_at(const char* at, std::uint64_t number) {
    constexpr std::array<std::uint64_t, 8> shifts{1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000};
    for (;;) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, at, sizeof bytes);
        bytes ^= 0x3030303030303030;  // digits become 0 to 9, and all else more
        const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
        if (others != 0) {
            const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
            return {at + count, number * shifts[count] + number_of(bytes << (56 - 8 * count) << 8)};
        }
        number = number * 100'000'000 + number_of(bytes);
        at += sizeof bytes;
    }
}

// Whether `value` is digits * 10^exponent, rounded to float64 and then to float32. Here the former takes two roundings,
// which are off by less than 3 of its last places: that decides all but those next to the middle of two float32.
bool is_certain(std::uint64_t digits, int exponent, bool is_negative, float& value) {
    constexpr std::uint64_t middle = std::uint64_t{1} << 28, margin = 8;  // of float64's last places
    constexpr int most = static_cast<int>(powers.size()) - 1;
    if (exponent < -most || exponent > most || digits > std::numeric_limits<std::int64_t>::max()) return false;
    const auto whole = static_cast<double>(static_cast<std::int64_t>(digits));
    const double size = exponent < 0 ? whole / powers[static_cast<std::size_t>(-exponent)]
                                     : whole * powers[static_cast<std::size_t>(exponent)];
    const std::uint64_t place = std::bit_cast<std::uint64_t>(size) & (2 * middle - 1);
    if (place - (middle - margin) <= 2 * margin) return false;
    if (!(size >= std::numeric_limits<float>::min() && size <= std::numeric_limits<float>::max()) && digits != 0)
        return false;
    value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(size)) |
                                 static_cast<std::uint32_t>(is_negative) << 31);
    return true;
}

// Whether these digits * 10^exponent are: std::from_chars says the same of what is too large and of what is too small.
bool is_below_one(const char* first, const char* end, int exponent) {
    std::ptrdiff_t significant = 0;
    for (; first != end; ++first)
        significant += static_cast<int>(is_digit(*first) && (*first != '0' || significant > 0));
    return significant + exponent <= 0;
}

// Reads the number at `at` and returns where it ends; null where there is none that float64 has.
const char* read_number(const char* at, float& value) {
    const char* const begin = at;
    const bool is_negative = *at == '-';
    at += static_cast<int>(is_negative);
    const char* const first = at;
    if (!is_digit(*at)) return nullptr;
    Digits digits{at + 1, static_cast<std::uint64_t>(*at - '0')};
    if (is_digit(at[1])) {
        if (*at == '0') return nullptr;
        digits = digits_at(at, 0);
    }
    int exponent = 0;
    if (*digits.end == '.') {
        const char* const fraction = digits.end + 1;
        digits = digits_at(fraction, digits.number);
        if (digits.end == fraction) return nullptr;
        exponent = static_cast<int>(fraction - digits.end);
    }
    at = digits.end;
    bool fits = at - first <= most_digits + static_cast<int>(exponent < 0);  // where there is a point
    if (!fits && *first == '0') {
        const char* significant = first + 2;
        while (*significant == '0') ++significant;
        fits = at - significant <= most_digits;
    }
    if (*at == 'e' || *at == 'E') {
        ++at;
        const bool is_small = *at == '-';
        if (is_small || *at == '+') ++at;
        const char* const power = at;
        int size = 0;
        for (; is_digit(*at); ++at) size = size < 1000 ? 10 * size + (*at - '0') : size;
        if (at == power) return nullptr;
        exponent += is_small ? -size : size;
    }
    if (fits && is_certain(digits.number, exponent, is_negative, value)) return at;
    double exact = 0;
    const auto [end, error] = std::from_chars(begin, at, exact);
    if (end != at) return nullptr;
    if (error != std::errc{}) {
        if (!is_below_one(first, digits.end, exponent)) return nullptr;
        exact = is_negative ? -0.0 : 0.0;
    }
    value = static_cast<float>(exact);
    return at;
}

}  // namespace

const char* read_real_list(const char* list, std::size_t most, std::vector<float>& values) {
    values.clear();
    const char* at = after_blanks(list + 1);
    if (*at == ']') return at + 1;
    for (;; at = after_blanks(at + 1)) {
        float value = 0;
        at = read_number(at, value);
        if (at == nullptr || values.size() == most) return nullptr;
        values.push_back(value);
        at = after_blanks(at);
        if (*at == ']') return at + 1;
        if (*at != ',') return nullptr;
    }
}

}  // namespace wordbreadth::importing
