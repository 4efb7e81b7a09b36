// Every 16-bit pattern, and pieces of every awkward length, come out as the float64 they stand for.
#include "arrays/array_file.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/array_testing.h"

namespace wordbreadth::arrays {
namespace {

class MemoryBytes : public base::Bytes {
  public:
    explicit MemoryBytes(std::string content) : content_(std::move(content)) {}

    std::size_t read(std::span<std::byte> into) override {
        const std::size_t count = content_.copy(reinterpret_cast<char*>(into.data()), into.size(), at_);
        at_ += count;
        return count;
    }
    const std::string& where() const override { return where_; }

  private:
    std::string content_;
    std::string where_ = "memory";
    std::size_t at_ = 0;
};

std::vector<double> all_16_bit_patterns_as(Element type) {
    std::string content;
    for (unsigned bits = 0; bits < 65536; ++bits) content += little_endian(static_cast<std::uint16_t>(bits));
    MemoryBytes source(content);
    std::vector<double> values(65536);
    read_values(source, type, values);
    return values;
}

void expect_same(double found, double expected, unsigned bits) {
    if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(found)) << bits;
    } else {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected)) << bits;
    }
}

#ifdef __FLT16_MANT_DIG__
TEST(Element, ConvertsEveryFloat16AsTheCompilerDoes) {
    const auto values = all_16_bit_patterns_as(Element::f16);
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const auto half = std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits));
        expect_same(values[bits], static_cast<double>(half), bits);
    }
}
#endif

TEST(Element, ConvertsTheCornersOfFloat16) {
    const auto values = all_16_bit_patterns_as(Element::f16);
    EXPECT_EQ(values[0x0001], 0x1p-24);
    EXPECT_EQ(values[0x03FF], 0x1p-14 - 0x1p-24);
    EXPECT_EQ(values[0x0400], 0x1p-14);
    EXPECT_EQ(values[0x3C00], 1);
    EXPECT_EQ(values[0x7BFF], 65504);
    EXPECT_EQ(values[0xC000], -2);
    EXPECT_EQ(values[0xFC00], -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(values[0x7C01]));
    EXPECT_TRUE(std::signbit(values[0x8000]));
}

TEST(Element, ConvertsEveryBfloat16AsTheUpperHalfOfAFloat) {
    const auto values = all_16_bit_patterns_as(Element::bf16);
    for (unsigned bits = 0; bits < 65536; ++bits) {
        expect_same(values[bits], std::bit_cast<float>(std::uint32_t{bits} << 16), bits);
    }
}

TEST(Element, ReadsCountsAroundItsPieces) {
    constexpr std::size_t piece = 64 * 1024 / 4;
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, piece - 1, piece, piece + 1, 2 * piece + 13}) {
        std::string content;
        for (std::size_t i = 0; i < count; ++i) content += little_endian(std::bit_cast<std::uint32_t>(float(i)));
        MemoryBytes source(content);
        std::vector<double> values(count);
        read_values(source, Element::f32, values);
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(values[i], double(i));
    }
}

TEST(Element, SaysThatTheSourceIsCutOff) {
    MemoryBytes source("1234567");
    std::vector<double> values(1);
    EXPECT_NE(error_of([&] { read_values(source, Element::f64, values); }).find("memory: cut off in its values"),
              std::string::npos);
}

}  // namespace
}  // namespace wordbreadth::arrays
