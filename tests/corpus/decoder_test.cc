#include "corpus/decoder.h"

#include <gtest/gtest.h>

#include <random>

#include "base/utf8.h"
#include "corpus/source.h"
#include "support/corpus_testing.h"

namespace wordbreadth::corpus {
namespace {

using namespace std::string_literals;

struct Outcome {
    std::string text;
    InvalidText invalid;
};

Outcome decoded(const std::string& bytes, const std::string& encoding, InvalidBytes invalid = InvalidBytes::error,
                std::size_t at_a_time = 65536) {
    const std::string where = "memory";
    MemoryBytes source(where, bytes);
    Decoder decoder(source, {encoding_named(encoding), invalid});
    std::string text, piece(at_a_time, '\0');
    for (;;) {
        const std::size_t found = decoder.read(std::as_writable_bytes(std::span(piece)));
        text.append(piece, 0, found);
        if (found < at_a_time) break;
    }
    return {text, decoder.invalid()};
}

struct Sample {
    const char* encoding;
    std::string bytes;
    std::string text;
};

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = {
        {"utf-8", "caf\xC3\xA9\n", "café\n"},
        {"latin1", "caf\xE9\n", "café\n"},
        {"windows-1252", "\x93"s + "caf\xE9\x94\n", "“café”\n"},
        {"koi8-r", "\xD7\xCF\xC4\xC1\n", "вода\n"},
        {"shift_jis", "\x90\x85\x82\xAA\n", "水が\n"},
        {"euc-jp", "\xBF\xE5\xA4\xAC\n", "水が\n"},
        {"iso-2022-jp", "\x1B$B?e$,\x1B(B\n", "水が\n"},
        {"gb18030", "\xCB\xAE\n", "水\n"},
        {"utf-16le", "a\0\x34\x6C\x3D\xD8\x00\xDE\n\0"s, "a水😀\n"},
        {"utf-16be", "\0a\x6C\x34\xD8\x3D\xDE\x00\0\n"s, "a水😀\n"},
        {"utf-32le", "a\0\0\0\x00\xF6\x01\0\n\0\0\0"s, "a😀\n"},
        {"utf-7", "a+bDTYPd4A-\n", "a水😀\n"},
    };
    return all;
}

// Long enough that characters are cut at every byte where one piece ends and the next begins.
TEST(Decoder, TextOfAnyEncodingBecomesUtf8) {
    for (const Sample& sample : samples()) {
        EXPECT_EQ(decoded(sample.bytes, sample.encoding).text, sample.text) << sample.encoding;
        std::string bytes, text;
        while (bytes.size() < 140'000) {
            bytes += sample.bytes;
            text += sample.text;
        }
        EXPECT_TRUE(decoded(bytes, sample.encoding, InvalidBytes::error, 1000).text == text) << sample.encoding;
    }
    for (std::size_t shift = 0; shift < 4; ++shift) {
        const std::string text = std::string(65533 + shift, 'a') + "😀\n" + std::string(65533, 'b') + "é";
        EXPECT_TRUE(decoded(text, "utf-8").text == text) << shift;
    }
}

TEST(Decoder, InvalidBytesAreLeftOutOrReplacedCountedAndPlaced) {
    const std::string bytes = "ok\nx\xFFy\xE3\x81z\n\0!\n\xC3"s;
    const Outcome skipped = decoded(bytes, "utf-8", InvalidBytes::skip);
    EXPECT_EQ(skipped.text, "ok\nxyz\n!\n");
    EXPECT_EQ(skipped.invalid.count, 4U);
    EXPECT_EQ(skipped.invalid.places, (std::vector<std::string>{"memory:2, byte 2", "memory:2, byte 4",
                                                                "memory:3, byte 1", "memory:4, byte 1"}));
    const Outcome replaced = decoded(bytes, "utf-8", InvalidBytes::replace);
    EXPECT_EQ(replaced.text, "ok\nx\uFFFDy\uFFFDz\n\uFFFD!\n\uFFFD");
    EXPECT_EQ(replaced.invalid.places, skipped.invalid.places);
    EXPECT_EQ(decoded(std::string(9, '\x80'), "utf-8", InvalidBytes::skip).invalid.places.size(),
              InvalidText::places_kept);
}

TEST(Decoder, TheFirstInvalidByteIsAnErrorUnlessToldOtherwise) {
    const auto error = [](const std::string& bytes, const std::string& encoding) {
        return error_of([&] { (void)decoded(bytes, encoding); });
    };
    EXPECT_TRUE(contains(error("ok\naa bb \xFF", "utf-8"), "memory:2: byte 7 of the line, 0xFF, is not UTF-8; name"));
    EXPECT_TRUE(contains(error("a\0b"s, "latin1"), "memory:1: byte 2 of the line is NUL; expected ISO-8859-1 text"));
    EXPECT_TRUE(contains(error("\xBF\xE5\n\xA4 x", "euc-jp"), "memory:2: byte 1 of the line, 0xA4, is not EUC-JP"));
    EXPECT_TRUE(
        contains(error("a\0\n\0\x3D\xD8g\0"s, "utf-16le"), "memory:2: byte 1 of the line, 0x3D, is not UTF-16LE"));
    const std::string far = std::string(70'000, 'a') + "\n" + std::string(70'000, 'b');
    EXPECT_TRUE(contains(error(far + "\x80", "utf-8"), "memory:2: byte 70001 of the line"));
    EXPECT_TRUE(contains(error(far + "\xFF", "euc-jp"), "memory:2: byte 70001 of the line"));
}

// Half a character, one that is cut off at the end, and what no table has; each at either side of a piece's end.
TEST(Decoder, EveryEncodingHasItsFaults) {
    struct Fault {
        const char* encoding;
        std::string bytes;
        std::string left;  // of the bytes, when they are left out
        std::size_t byte = 1;
    };
    for (const Fault& fault : {Fault{"utf-16le", "\x3D\xD8"s + "a\0"s, "a"}, Fault{"utf-16le", "\x00\xDE"s, ""},
                               Fault{"utf-32le", "\x00\x00\x11\x00"s, ""}, Fault{"shift_jis", "\x81\x20", " "},
                               Fault{"euc-jp", "\xFF", ""}, Fault{"utf-7", "+2D0-", "", 2}}) {
        const std::string filler = fault.encoding == "utf-16le"s   ? "b\0"s
                                   : fault.encoding == "utf-32le"s ? "b\0\0\0"s
                                                                   : "b";
        for (std::size_t before = 65532; before <= 65540; before += 4) {
            std::string bytes;
            while (bytes.size() < before) bytes += filler;
            const std::string expected(bytes.size() / filler.size(), 'b');
            const Outcome found = decoded(bytes + fault.bytes, fault.encoding, InvalidBytes::skip);
            EXPECT_EQ(found.invalid.count, 1U) << fault.encoding << " " << before;
            EXPECT_TRUE(found.text == expected + fault.left) << fault.encoding << " " << before;
            EXPECT_EQ(found.invalid.places.at(0), "memory:1, byte " + std::to_string(bytes.size() + fault.byte))
                << fault.encoding;
        }
    }
    EXPECT_EQ(decoded("a\0b"s, "utf-16le", InvalidBytes::replace).text, "a\uFFFD");
}

TEST(Decoder, RandomBytesBecomeUtf8) {
    std::mt19937 random(1);
    for (const Sample& sample : samples()) {
        std::string bytes(70'000, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random() % 5 == 0 ? random() : 32 + random() % 64);
        const Outcome skipped = decoded(bytes, sample.encoding, InvalidBytes::skip, 4096);
        const Outcome replaced = decoded(bytes, sample.encoding, InvalidBytes::replace);
        EXPECT_EQ(base::first_fault(skipped.text), std::string::npos) << sample.encoding;
        EXPECT_EQ(base::first_fault(replaced.text), std::string::npos) << sample.encoding;
        EXPECT_GT(skipped.invalid.count, 0U) << sample.encoding;
        EXPECT_EQ(skipped.invalid.count, replaced.invalid.count) << sample.encoding;
        EXPECT_GE(base::count_characters(replaced.text), base::count_characters(skipped.text) + skipped.invalid.count);
    }
}

TEST(Encodings, AreKnownByAnyOfTheirNames) {
    EXPECT_EQ(encoding_named("utf8"), "UTF-8");
    EXPECT_EQ(encoding_named("UTF-8"), utf_8);
    EXPECT_EQ(encoding_named("Latin1"), "ISO-8859-1");
    EXPECT_EQ(encoding_named("cp1252"), "windows-1252");
    EXPECT_EQ(encoding_named("sjis"), "Shift_JIS");
    EXPECT_EQ(encoding_named("eucjp"), "EUC-JP");
    EXPECT_EQ(encoding_named("utf-16LE"), "UTF-16LE");
    for (const Sample& sample : samples()) {
        const std::string name = encoding_named(sample.encoding);
        EXPECT_EQ(encoding_named(name), name);
    }
}

TEST(Encodings, AnUnknownOneIsToldWithTheClosest) {
    const std::string close = error_of([] { (void)encoding_named("widnows-1252"); });
    EXPECT_TRUE(contains(close, "has no encoding \"widnows-1252\"; did you mean \"windows-1252\"")) << close;
    const std::string none = error_of([] { (void)encoding_named("klingon script"); });
    EXPECT_TRUE(contains(none, "it holds \"utf-8\", \"windows-1252\"")) << none;
    EXPECT_TRUE(contains(error_of([] { (void)encoding_named(""); }), "has no encoding"));
}

TEST(Encodings, AByteOrderMarkNamesOne) {
    EXPECT_EQ(encoding_of_mark("\xFF\xFE"s + "a\0"s), "UTF-16LE");
    EXPECT_EQ(encoding_of_mark("\xFE\xFF\0a"s), "UTF-16BE");
    EXPECT_EQ(encoding_of_mark("\xFF\xFE\0\0a\0\0\0"s), "UTF-32LE");
    EXPECT_EQ(encoding_of_mark("\0\0\xFE\xFF\0\0\0a"s), "UTF-32BE");
    EXPECT_EQ(encoding_of_mark("\xEF\xBB\xBF"s + "a"), "UTF-8");
    EXPECT_EQ(encoding_of_mark("a"), "");
    EXPECT_EQ(encoding_of_mark("\xFF"), "");
}

}  // namespace
}  // namespace wordbreadth::corpus
