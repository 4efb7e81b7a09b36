#include "corpus/file_reader.h"

#include <gtest/gtest.h>

#include "support/corpus_testing.h"

namespace wordbreadth::corpus {
namespace {

struct Sample {
    const char* name;
    Format format;
};

class Detect : public testing::TestWithParam<Sample> {};

TEST_P(Detect, FindsTheFormatOfASample) {
    Source source(good(GetParam().name));
    EXPECT_EQ(detect_format_of(source).format, GetParam().format);
}

INSTANTIATE_TEST_SUITE_P(Samples, Detect,
                         testing::Values(Sample{"plain.txt", Format::text}, Sample{"plain.txt.gz", Format::text},
                                         Sample{"lines.txt", Format::text}, Sample{"records.jsonl", Format::jsonl},
                                         Sample{"T00.xml", Format::bnc}, Sample{"T00.xml.gz", Format::bnc},
                                         Sample{"T01.xml", Format::bnc}, Sample{"bccwj.tsv", Format::bccwj},
                                         Sample{"sample.conllu", Format::conllu},
                                         Sample{"sample.vert", Format::vertical}, Sample{"uses.csv", Format::dwug},
                                         Sample{"ca01", Format::brown}));

Format format_of(std::string_view text) {
    return detect_format(text, true).format;
}

TEST(Detect, TextThatLooksLikeAnotherFormatIsText) {
    EXPECT_EQ(format_of("and/or\n"), Format::text);
    EXPECT_EQ(format_of("A table\tof three\tfields.\n"), Format::text);
    EXPECT_EQ(format_of("# A heading\n\nText.\n"), Format::text);
    EXPECT_EQ(format_of("<s> is a tag.\n"), Format::text);
    EXPECT_EQ(format_of("{a set}\n"), Format::text);
    EXPECT_EQ(format_of("x"), Format::text);
}

TEST(Detect, XmlIsVerticalOnlyWhereItsWordsStandInColumns) {
    const auto content_of = [](std::string_view text) { return detect_format(text, true).content; };
    EXPECT_EQ(format_of("<?xml version=\"1.0\"?>\n<s>\na\ta\tX\n</s>\n"), Format::vertical);
    EXPECT_EQ(content_of("<?xml version=\"1.0\"?>\n<text>\n\t\t\t<w>a</w>\n</text>\n"), Content::markup);
    EXPECT_EQ(content_of("<?xml version=\"1.0\"?>\n<text>\n<w>a</w>\t<w>b</w>\t<w>c</w>\n</text>\n"), Content::markup);
    EXPECT_EQ(content_of("<?xml version=\"1.0\"?>\n<text>\n  a\tb\tc\n</text>\n"), Content::markup);
}

TEST(Detect, ALongFirstLineIsEnough) {
    EXPECT_EQ(detect_format("{\"text\": \"" + std::string(70000, 'x'), false).format, Format::jsonl);
    EXPECT_EQ(detect_format(std::string(70000, 'x'), false).format, Format::text);
}

TEST(Detect, AByteOrderMarkAndWindowsLinesDoNotMatter) {
    EXPECT_EQ(format_of("\xEF\xBB\xBF{\"text\": \"a\"}\r\n"), Format::jsonl);
    EXPECT_EQ(format_of("lemma\tcontext\tindexes_target_token\r\n"), Format::dwug);
}

}  // namespace
}  // namespace wordbreadth::corpus
