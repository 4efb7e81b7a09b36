// Files of other encodings than UTF-8, and files with a few bad bytes, through open_corpus().
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <thread>

#include "corpus/decoder.h"
#include "corpus/source.h"
#include "support/corpus_testing.h"
#include "wordbreadth/error.h"

namespace wordbreadth::corpus {
namespace {

using namespace std::string_literals;
using Texts = std::vector<std::string>;

const std::string two_lines = "The café is by the water.\nIt is 水.\n";

std::string encoded(const std::string& text, const std::string& encoding) {
    std::string bytes(4 * text.size() + 16, '\0');
    UErrorCode error = U_ZERO_ERROR;
    const std::int32_t size =
        ucnv_convert(encoding.c_str(), "utf-8", bytes.data(), static_cast<std::int32_t>(bytes.size()), text.data(),
                     static_cast<std::int32_t>(text.size()), &error);
    bytes.resize(static_cast<std::size_t>(size));
    return bytes;
}

void write_gzip(const std::string& path, const std::string& bytes) {
    gzFile packed = gzopen(path.c_str(), "wb1");
    gzwrite(packed, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(packed);
}

Options with(const std::string& encoding, InvalidBytes invalid = InvalidBytes::error) {
    Options options;
    options.decoding = {encoding_named(encoding), invalid};
    return options;
}

std::string error_reading(const std::string& path, const Options& options = {}) {
    return error_of([&] { (void)read_all({path}, options); });
}

// The mark decides, whatever encoding was named, plain and packed, whatever the format.
TEST(EncodedFiles, AByteOrderMarkDecides) {
    for (const std::string encoding : {"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"}) {
        const std::string bytes = encoded("\uFEFF" + two_lines, encoding);
        const TemporaryFile plain(".txt", bytes), packed(".txt.gz", "");
        write_gzip(packed.path(), bytes);
        for (const std::string& path : {plain.path(), packed.path()})
            for (const char* named : {"utf-8", "windows-1252"}) {
                EXPECT_EQ(texts_of(read_all({path}, with(named))), (Texts{"The café is by the water.", "It is 水."}))
                    << encoding;
                EXPECT_EQ(open_corpus(std::vector{path}, with(named)).files()[0].decoding.encoding, encoding);
            }
        const TemporaryFile records(".jsonl", encoded("\uFEFF{\"text\": \"café\"}\n", encoding));
        EXPECT_EQ(open_corpus(std::vector{records.path()}).files()[0].format, Format::jsonl) << encoding;
        EXPECT_EQ(texts_of(read_all({records.path()})), (Texts{"café"})) << encoding;
    }
}

TEST(EncodedFiles, TheEncodingThatIsNamedIsReadInEveryFormat) {
    const TemporaryFile text(".txt", encoded(two_lines, "euc-jp")), latin(".txt", "caf\xE9 time\n"),
        table(".tsv", encoded(content_of(good("bccwj.tsv")), "shift_jis"));
    EXPECT_EQ(texts_of(read_all({latin.path()}, with("latin1"))), (Texts{"café time"}));
    EXPECT_EQ(texts_of(read_all({text.path()}, with("euc-jp"))).at(1), "It is 水.");
    EXPECT_EQ(texts_of(read_all({table.path()}, with("shift_jis"))), texts_of(read_all({good("bccwj.tsv")})));
    const TemporaryFile wide(".txt", encoded(two_lines, "utf-16le"));
    EXPECT_EQ(read_all({wide.path()}, with("utf-16le")).size(), 2U);
    EXPECT_TRUE(contains(error_reading(wide.path()), "UTF-16LE text without a byte order mark; if so, name"));
    const TemporaryFile picture(".png", "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1"s);
    for (const char* encoding : {"utf-8", "utf-16le"})
        EXPECT_TRUE(contains(error_reading(picture.path(), with(encoding)), "is a binary file")) << encoding;
}

TEST(EncodedFiles, XmlDeclaresItsOwnEncoding) {
    const std::string path = good("T00.xml");
    EXPECT_TRUE(contains(error_reading(path, with("latin1")),
                         path + ": is XML, which declares its own encoding, but ISO-8859-1 was named"));
    EXPECT_TRUE(contains(error_reading(path, with("utf-8", InvalidBytes::skip)), "invalid bytes are always an error"));
    std::string xml = content_of(path);
    xml.replace(xml.find("UTF-8"), 5, "UTF-16");
    const TemporaryFile wide(".xml", encoded("\uFEFF" + xml, "UTF-16LE")),
        wider(".xml", encoded("\uFEFF" + xml, "UTF-32LE"));
    EXPECT_EQ(texts_of(read_all({wide.path()})), texts_of(read_all({path})));
    EXPECT_TRUE(contains(error_reading(wider.path()), "is XML in UTF-32LE; expected UTF-8, UTF-16"));
}

TEST(EncodedFiles, InvalidBytesAreCountedOnceHoweverOftenTheyAreRead) {
    const TemporaryFolder folder;
    folder.add("a.txt", "One \xFF line.\n");
    folder.add("b.txt", "Good.\n");
    folder.add("c.txt", "Good.\nA NUL\0 and \xC3.\n"s + std::string(400, 'x'));
    EXPECT_TRUE(contains(error_reading(folder.path() + "/a.txt"), "a.txt:1: byte 5 of the line, 0xFF, is not UTF-8"));
    for (const InvalidBytes invalid : {InvalidBytes::skip, InvalidBytes::replace}) {
        Reader reader = open_corpus(std::vector{folder.path()}, with("utf-8", invalid));
        std::vector<Place> places;
        Texts texts;
        for (Sentence sentence; reader.next(sentence);) {
            texts.emplace_back(sentence.text);
            if (places.empty() || places.back().file != reader.place().file) places.push_back(reader.place());
        }
        EXPECT_EQ(texts.at(0), invalid == InvalidBytes::skip ? "One  line." : "One \uFFFD line.");
        for (const Place& place : places) {  // a second pass meets the same sentences under the same numbers
            reader.go_to(place);
            Sentence sentence;
            ASSERT_TRUE(reader.next(sentence));
            EXPECT_EQ(sentence.text, texts.at(sentence.number));
            while (reader.next(sentence)) EXPECT_EQ(sentence.text, texts.at(sentence.number));
        }
        EXPECT_EQ(reader.invalid().count, 3U);
        EXPECT_EQ(reader.invalid().places,
                  (Texts{folder.path() + "/a.txt:1, byte 5", folder.path() + "/c.txt:2, byte 6",
                         folder.path() + "/c.txt:2, byte 12"}));
    }
}

// A pipe with bytes in it, whose writing end is closed.
class Pipe {
  public:
    explicit Pipe(const std::string& bytes) {
        EXPECT_EQ(pipe(ends_), 0);
        writer_ = std::jthread([this, bytes] {
            for (std::size_t at = 0; at < bytes.size();) {
                const ssize_t written = write(ends_[1], bytes.data() + at, bytes.size() - at);
                if (written <= 0) break;
                at += static_cast<std::size_t>(written);
            }
            close(ends_[1]);
        });
    }
    ~Pipe() { close(ends_[0]); }
    [[nodiscard]] int reading_end() const { return ends_[0]; }

  private:
    int ends_[2] = {-1, -1};
    std::jthread writer_;
};

TEST(Spool, KeepsWhatComesThroughAPipeAndLeavesNothingBehind) {
    const TemporaryFolder folder;
    std::string bytes;
    while (bytes.size() < 300'000) bytes += std::to_string(bytes.size()) + "\n";
    const Pipe pipe(bytes);
    const Spool spool(pipe.reading_end(), "a pipe", folder.path(), {});
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_EQ(spool.size(), bytes.size());
    for (int pass = 0; pass < 2; ++pass) {
        Source source("a pipe", &spool);
        std::string found(bytes.size() + 1, '\0');
        found.resize(source.read(std::as_writable_bytes(std::span(found))));
        EXPECT_TRUE(found == bytes);
        EXPECT_EQ(source.where(), "a pipe");
    }
}

TEST(Spool, AnInputThatSaysNothingCanBeStopped) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(pipe(ends), 0);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(Spool(ends[0], "a pipe", ".", stop.get_token()), Cancelled);
    close(ends[0]);
    close(ends[1]);
    const int folder = open("/", O_RDONLY);
    EXPECT_TRUE(contains(error_of([&] { Spool(folder, "a folder", ".", {}); }), "a folder: cannot be read: Is a dir"));
    close(folder);
    EXPECT_TRUE(contains(error_of([] { Spool(0, "a pipe", "/no/such/folder", {}); }),
                         "a pipe: cannot be kept in /no/such/folder: No such file or directory; set TMPDIR"));
}

}  // namespace
}  // namespace wordbreadth::corpus
