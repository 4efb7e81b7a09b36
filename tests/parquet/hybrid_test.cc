#include "parquet/hybrid.h"

#include <gtest/gtest.h>

#include <random>

#include "support/errors.h"

namespace wordbreadth::parquet {
namespace {

std::vector<std::uint32_t> decoded(const std::string& bytes, unsigned width, std::size_t count) {
    const std::string where = "file";
    HybridReader reader(where, std::as_bytes(std::span(bytes)), width);
    std::vector<std::uint32_t> numbers;
    while (numbers.size() < count) numbers.push_back(reader.next());
    return numbers;
}

// Runs of all lengths among numbers that differ.
std::vector<std::uint32_t> numbers_of(std::size_t count, unsigned width, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> numbers;
    while (numbers.size() < count) {
        const auto number = width == 0 ? 0U : static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << width) - 1));
        const std::size_t times = random() % 3 == 0 ? random() % 40 : 1;
        numbers.insert(numbers.end(), std::min<std::size_t>(times, count - numbers.size()), number);
    }
    return numbers;
}

TEST(Hybrid, GivesBackNumbersOfEveryWidth) {
    for (unsigned width = 0; width <= 32; ++width)
        for (const std::size_t count : {0, 1, 7, 8, 9, 64, 1000}) {
            const std::vector<std::uint32_t> numbers = numbers_of(count, width, width + 1);
            std::string bytes;
            append_hybrid(bytes, numbers, width);
            EXPECT_EQ(decoded(bytes, width, count), numbers) << width << " bits, " << count;
        }
}

TEST(Hybrid, SkipsTheNumbersThatAreAlike) {
    for (const unsigned width : {1U, 2U, 3U}) {
        const std::vector<std::uint32_t> numbers = numbers_of(5000, width, 7);
        std::string bytes;
        append_hybrid(bytes, numbers, width);
        const std::string where = "file";
        HybridReader reader(where, std::as_bytes(std::span(bytes)), width);
        for (std::size_t i = 0; i < numbers.size();) {
            std::size_t alike = 1;
            while (i + alike < numbers.size() && numbers[i + alike] == numbers[i]) ++alike;
            ASSERT_EQ(reader.skip_equal(numbers[i], std::min<std::size_t>(alike + 3, numbers.size() - i)), alike) << i;
            i += alike;
        }
    }
}

TEST(Hybrid, RefusesBytesThatEndTooEarly) {
    EXPECT_NE(error_of([] { (void)decoded("", 1, 1); }).find("are cut off"), std::string::npos);
    EXPECT_NE(error_of([] { (void)decoded(std::string("\x04", 1), 8, 1); }).find("are cut off"), std::string::npos);
    EXPECT_NE(error_of([] { (void)decoded(std::string("\x00\x01", 2), 8, 1); }).find("are cut off"), std::string::npos);
}

}  // namespace
}  // namespace wordbreadth::parquet
