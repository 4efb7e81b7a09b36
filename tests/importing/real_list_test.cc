// Every number is strtod's, rounded to float32; what is no list of JSON's numbers is refused.
#include "importing/real_list.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace wordbreadth::importing {
namespace {

constexpr std::size_t most = 1000;

std::string padded(std::string text) {
    text.reserve(text.size() + 64);
    return text;
}

bool is_list(const std::string& text) {
    std::vector<float> values;
    const std::string list = padded(text);
    const char* const end = read_real_list(list.c_str(), most, values);
    EXPECT_TRUE(end == nullptr || end == list.c_str() + list.size()) << text;
    return end != nullptr;
}

// Together with neighbours, so that numbers end in all ways.
void expect_exact(const std::vector<std::string>& numbers) {
    for (const std::string between : {", ", ",", " ,\t"}) {
        std::string text = "[";
        for (const std::string& number : numbers) text += (text.size() > 1 ? between : "") + number;
        std::vector<float> values;
        ASSERT_NE(read_real_list(padded(text + "]").c_str(), most, values), nullptr) << text;
        ASSERT_EQ(values.size(), numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto expected = static_cast<float>(std::strtod(numbers[i].c_str(), nullptr));
            ASSERT_EQ(std::bit_cast<std::uint32_t>(values[i]), std::bit_cast<std::uint32_t>(expected)) << numbers[i];
        }
    }
}

std::string text_of(double value, std::chars_format format, int digits) {
    std::string text(400, ' ');
    text.resize(static_cast<std::size_t>(
        std::to_chars(text.data(), text.data() + text.size(), value, format, digits).ptr - text.data()));
    return text;
}

std::string digits(std::mt19937_64& random, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('0' + random() % 10);
    return text;
}

TEST(RealList, AnyNumberOfDigitsIsExact) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 3000; ++round) {
        std::vector<std::string> numbers;
        for (int i = 0; i < 20; ++i) {
            std::string number = random() % 2 == 0 ? "-" : "";
            number += random() % 3 == 0 ? std::to_string(1 + random() % 9) + digits(random, random() % 25) : "0";
            const std::size_t fraction = random() % 30;
            if (fraction > 0) number += "." + std::string(random() % 12, '0') + digits(random, fraction);
            if (random() % 4 == 0) number += (random() % 2 == 0 ? "e" : "E-") + std::to_string(random() % 45);
            numbers.push_back(number);
        }
        expect_exact(numbers);
    }
}

// Of any float32: as it is written, and the middle to the next one, where a digit far behind decides.
TEST(RealList, TheMiddleBetweenTwoFloatsIsDecidedExactly) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 5000; ++round) {
        const auto bits = static_cast<std::uint32_t>(random());
        const auto value = std::bit_cast<float>(bits & 0x7FFFFFFF);
        const float next = std::nextafter(value, std::numeric_limits<float>::infinity());
        if (!std::isfinite(next)) continue;
        const double middle = (static_cast<double>(value) + static_cast<double>(next)) / 2;
        std::vector<std::string> numbers;
        for (const double each : {static_cast<double>(value), middle, std::nextafter(middle, 0.0),
                                  std::nextafter(middle, std::numeric_limits<double>::infinity())}) {
            for (const int precision : {6, 8, 15, 16, 17, 18, 30})
                numbers.push_back(text_of(each, std::chars_format::scientific, precision));
            if (each > 1e-9 && each < 1e12) numbers.push_back(text_of(each, std::chars_format::fixed, 20));
        }
        expect_exact(numbers);
    }
    expect_exact({"16777217",
                  "16777217.000000000001",
                  "16777216.999999999",
                  "16777219",
                  "0.50000002980232238769531250",
                  "0.5000000298023224",
                  "9223372036854775807",
                  "9223372036854775808",
                  "9999999999999999999",
                  "1e22",
                  "1e23",
                  "123456789e-22",
                  "123456789e-30",
                  "1.17549435e-38",
                  "1.1754942e-38",
                  "1e-45",
                  "1e-46",
                  "5e-324",
                  "3.4028235e38",
                  "3.4028236e38",
                  "1e39",
                  "-0",
                  "0",
                  "-0.0e5",
                  "0e99",
                  "0.000000000000000000000000001",
                  "1e-400",
                  "-123.5E-500",
                  "0." + std::string(400, '0') + "1",
                  std::string(400, '7') + "e-800",
                  "0." + std::string(400, '0') + "1e401"});
}

TEST(RealList, WhatIsNoListOfNumbersIsRefused) {
    EXPECT_FALSE(is_list("[" + std::string(400, '7') + ".5]"));
    for (const std::string list : {"[]", "[ ]", "[1]", "[ 1 ,\t2\r]", "[-0]", "[1E+5, 2e-3]", "[0.1]"})
        EXPECT_TRUE(is_list(list)) << list;
    for (const std::string list :
         {"[1\n]",  "[1,\n2]", "[1",         "[",       "[1,]",   "[,1]",    "[1 2]",       "[01]",    "[-]",
          "[+1]",   "[.5]",    "[1.]",       "[1.e5]",  "[1e]",   "[1e+]",   "[1e400]",     "[-00]",   "[1f]",
          "[0x10]", "[NaN]",   "[Infinity]", "[-inf]",  "[null]", "[\"1\"]", "[[1]]",       "[1,[2]]", "[{}]",
          "[1}",    "[true]",  "[1.2.3]",    "[1e5.5]", "[--1]",  "[1-2]",   "[12345678a]", "[1_000]"})
        EXPECT_FALSE(is_list(list)) << list;
}

TEST(RealList, MoreThanTheMostIsRefused) {
    std::string text = "[0";
    for (std::size_t i = 1; i < most; ++i) text += ",1";
    EXPECT_TRUE(is_list(text + "]"));
    EXPECT_FALSE(is_list(text + ",1]"));
}

}  // namespace
}  // namespace wordbreadth::importing
