#include <gtest/gtest.h>
#include <zlib.h>

#include "corpus/source.h"
#include "support/corpus_testing.h"

namespace wordbreadth::corpus {
namespace {

std::string gzipped(std::string_view text) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(packed.size() - stream.avail_out);
    deflateEnd(&stream);
    return packed;
}

std::string unpacked(const std::string& content, std::size_t at_a_time) {
    const TemporaryFile file(".gz", content);
    Source source(file.path());
    std::string all;
    std::string piece(at_a_time, '\0');
    for (;;) {
        const std::size_t found = source.read(std::as_writable_bytes(std::span(piece)));
        all.append(piece, 0, found);
        if (found < at_a_time) break;
    }
    EXPECT_EQ(source.consumed(), content.size());
    return all;
}

std::string long_text() {
    std::string text;
    for (int i = 0; i < 40000; ++i) text += std::to_string(i) + ' ';
    return text;
}

TEST(Gzip, AFileIsUnpackedInPiecesOfAnySize) {
    const std::string text = long_text();
    for (const std::size_t size : {1000U, 65536U, 1000000U}) EXPECT_EQ(unpacked(gzipped(text), size), text);
}

TEST(Gzip, MembersFollowEachOther) {
    const std::string text = long_text();
    EXPECT_EQ(unpacked(gzipped("a") + gzipped("") + gzipped(text) + gzipped("b"), 1000), "a" + text + "b");
}

TEST(Gzip, ZerosMayPadTheFile) {
    EXPECT_EQ(unpacked(gzipped("a") + std::string(100000, '\0'), 1000), "a");
}

TEST(Gzip, APlainFileIsItself) {
    EXPECT_EQ(unpacked("plain", 1000), "plain");
    EXPECT_EQ(unpacked("\x1F", 1000), "\x1F");
}

TEST(Gzip, AFileCutAtAnyByteIsToldAndNeverReadAsWhole) {
    const std::string packed = gzipped("some text that is packed, and packed, and packed");
    for (std::size_t length = 2; length < packed.size(); ++length) {
        const std::string error = error_of([&] { (void)unpacked(packed.substr(0, length), 1000); });
        EXPECT_TRUE(contains(error, "its gzip data end after " + std::to_string(length) + " bytes")) << error;
    }
}

TEST(Gzip, ASecondMemberThatIsCutOffIsTold) {
    const std::string two = gzipped("one") + gzipped("two");
    EXPECT_TRUE(contains(error_of([&] { (void)unpacked(two.substr(0, two.size() - 1), 1000); }), "data end after"));
}

}  // namespace
}  // namespace wordbreadth::corpus
