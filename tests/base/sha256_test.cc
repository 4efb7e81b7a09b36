#include "base/sha256.h"

#include <gtest/gtest.h>

#include <array>

#include "base/sha256_pair.h"
#include "support/array_testing.h"
#include "support/temporary.h"

namespace wordbreadth::base {
namespace {

std::string hash_of(const std::string& text) {
    return sha256_of(std::as_bytes(std::span(text)));
}

std::span<const std::byte> bytes_of(const std::string& text, std::size_t begin, std::size_t size) {
    return std::as_bytes(std::span(text)).subspan(begin, size);
}

// No two blocks alike.
std::string text_of(std::size_t size, unsigned seed) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(seed + i * 7 + (i >> 6) * 13 + (i >> 12));
    return text;
}

constexpr std::array<std::size_t, 16> awkward{0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129, 191, 192, 1000, 3072};

// Whole messages of both, in pieces of other sizes: each begins in the middle of a block.
void expect_both(std::size_t first_size, std::size_t second_size, std::size_t piece, bool at_once) {
    const std::string first = text_of(first_size, 1), second = text_of(second_size, 2);
    Sha256 one, other;
    for (std::size_t i = 0, k = 0; i < first_size || k < second_size;) {
        const std::size_t some = std::min(piece, first_size - i), more = std::min(piece + 1, second_size - k);
        add_to_both(one, bytes_of(first, i, some), other, bytes_of(second, k, more), at_once);
        i += some;
        k += more;
    }
    EXPECT_EQ(one.digest(), hash_of(first)) << first_size << " beside " << second_size << " by " << piece;
    EXPECT_EQ(other.digest(), hash_of(second)) << second_size << " beside " << first_size << " by " << piece;
}

TEST(Sha256, GivesTheKnownAnswers) {
    EXPECT_EQ(hash_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hash_of(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfTwoAtOnceIsThatOfEach) {
    for (const bool at_once : {true, false}) {
        for (const std::size_t first : awkward) {
            for (const std::size_t second : awkward) {
                for (const std::size_t piece : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{4096}})
                    expect_both(first, second, piece, at_once);
            }
        }
    }
}

// The lengths of messages stand in two words of 32 bits.
TEST(Sha256, OfTwoAtOnceCountsBeyondFourGigabits) {
    const std::string piece = text_of(1 << 20, 3);
    Sha256 one, other, alone;
    for (int i = 0; i < 520; ++i) {
        add_to_both(one, bytes_of(piece, 0, piece.size()), other, bytes_of(piece, 0, piece.size()));
        alone.add(bytes_of(piece, 0, piece.size()));
    }
    const std::string expected = alone.digest();
    EXPECT_EQ(one.digest(), expected);
    EXPECT_EQ(other.digest(), expected);
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
    std::string content(3'000'017, 'x');  // more than one piece
    content[2'500'000] = 'y';
    const TemporaryFile file(".bin", content);
    EXPECT_EQ(sha256_of_file(file.path()), hash_of(content));
    EXPECT_NE(error_of([] { (void)sha256_of_file("/no/such/file"); }), "no error");
}

// Blocks alone, so that nothing but the instructions can have hashed them.
TEST(Sha256Pair, IsUsedWhereTheProcessorHasIt) {
    if (!has_sha256_pair()) GTEST_SKIP() << "no SHA instructions here";
    const std::array<std::uint32_t, 8> begin{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint32_t, 8> one = begin, other = begin;
    std::string block = "abc\x80";  // the message, padded
    block.resize(63);
    block += static_cast<char>(24);
    const std::string empty = "\x80" + std::string(63, '\0');
    add_blocks_to_pair(one.data(), bytes_of(block, 0, 64).data(), other.data(), bytes_of(empty, 0, 64).data(), 1);
    EXPECT_EQ(one, (std::array<std::uint32_t, 8>{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c,
                                                 0xb410ff61, 0xf20015ad}));
    EXPECT_EQ(other, (std::array<std::uint32_t, 8>{0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924, 0x27ae41e4,
                                                   0x649b934c, 0xa495991b, 0x7852b855}));
}

}  // namespace
}  // namespace wordbreadth::base
