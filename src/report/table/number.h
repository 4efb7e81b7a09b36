// Numbers as text. None of these look at the locale.
#pragma once

#include <cstdint>
#include <string>

namespace wordbreadth::report {

// The shortest text that reads back as the same double: 0.1, 1e-300, nan, inf.
[[nodiscard]] std::string shortest(double value);

// `digits` significant digits, trailing zeros kept: 1.10, 0.00312, 384; 3.1e-07 where plain digits would be long.
// "-" for NaN and infinities.
[[nodiscard]] std::string significant(double value, int digits);

// `decimals` digits after the point. "-" for NaN and infinities.
[[nodiscard]] std::string fixed(double value, int decimals);

// A p-value within a sentence: 0.0004, 0.987, 5e-05.
[[nodiscard]] std::string p_value(double p);

// A p-value within a column, so that the points stand under each other: 0.00040, 0.98700, 5.0e-05; "-" for NaN.
[[nodiscard]] std::string p_column(double p);

// 20,000.
[[nodiscard]] std::string count(std::uint64_t value);

// 1 word, 20,000 words.
[[nodiscard]] std::string counted(std::uint64_t value, const std::string& thing);

// Of a file: 512 bytes, 84 kB, 1.5 GB.
[[nodiscard]] std::string bytes(std::uint64_t value);

// 0.95 as 95%, 0.999 as 99.9%.
[[nodiscard]] std::string percent(double share);

// 2.6 ms, 0.12 s, 42 s, 3 min 20 s, 2 h 5 min.
[[nodiscard]] std::string duration(double seconds);

// "10 s left", of a guess: never below a second.
[[nodiscard]] std::string time_left(double seconds);

}  // namespace wordbreadth::report
