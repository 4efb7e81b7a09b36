// Details of the formats that hold one record per line.
#include <gtest/gtest.h>

#include "support/corpus_testing.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {
namespace {

using Texts = std::vector<std::string>;

TEST(Jsonl, LabelsMayBeNumbersAndTruthValues) {
    const auto texts = read_content(
        "{\"text\": \"a\", \"label\": 1}\n{\"text\": \"b\", \"label\": true}\n"
        "{\"text\": \"c\", \"label\": -2.50}\n",
        Format::jsonl, Unit::text);
    ASSERT_EQ(texts.size(), 3U);
    EXPECT_EQ(texts[0].label, "1");
    EXPECT_EQ(texts[1].label, "true");
    EXPECT_EQ(texts[2].label, "-2.50");
}

TEST(Jsonl, WithoutLabelsTheFileIsTheLabel) {
    const TemporaryFolder folder;
    folder.add("prompts.jsonl", "{\"text\": \"a\"}\n{\"text\": \"b\", \"label\": null}\n");
    for (const Copy& text : read_all({folder.path()}, {Format::automatic, Unit::text}))
        EXPECT_EQ(text.label, "prompts");
}

TEST(Jsonl, LabelsThatAreMissingHereAndThereAreTold) {
    const auto read = [] {
        (void)read_content("{\"text\": \"a\", \"label\": \"x\"}\n{\"text\": \"b\"}\n", Format::jsonl, Unit::text);
    };
    EXPECT_TRUE(contains(error_of(read), ":2: has no \"label\", but line 1 has one; expected all lines alike"));
}

TEST(Jsonl, ANulBecomesAReplacementCharacter) {
    EXPECT_EQ(texts_of(read_content("{\"text\": \"a\\u0000b\\u0000\"}\n", Format::jsonl)), (Texts{"a\uFFFDb\uFFFD"}));
}

TEST(Jsonl, ARecordWithEmptyTextIsADocumentWithoutSentences) {
    const auto sentences = read_content("{\"text\": \" \"}\n{\"text\": \"b\"}\n", Format::jsonl);
    ASSERT_EQ(sentences.size(), 1U);
    EXPECT_EQ(sentences[0].document, 1U);
    EXPECT_EQ(read_content("{\"text\": \" \"}\n{\"text\": \"b\"}\n", Format::jsonl, Unit::text).size(), 1U);
}

TEST(Jsonl, ADepthAtTheLimitIsAccepted) {
    const auto nested = [](std::size_t depth) {
        return "{\"text\": \"a\", \"x\": " + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}\n";
    };
    EXPECT_EQ(read_content(nested(limits::json_depth), Format::jsonl).size(), 1U);
    EXPECT_TRUE(
        contains(error_of([&] { (void)read_content(nested(limits::json_depth + 1), Format::jsonl); }), "nests deeper"));
}

TEST(Jsonl, ARecordAtTheLimitIsAccepted) {
    const auto record = [](std::size_t bytes) { return "{\"text\": \"" + std::string(bytes - 12, 'a') + "\"}\n"; };
    EXPECT_EQ(read_content(record(limits::record_bytes), Format::jsonl, Unit::text).size(), 1U);
    EXPECT_TRUE(contains(error_of([&] { (void)read_content(record(limits::record_bytes + 1), Format::jsonl); }),
                         ":1: is longer than the 16777216 bytes accepted for a line"));
}

TEST(Text, AWholeTextAtTheLimitIsAccepted) {
    EXPECT_EQ(read_content(std::string(limits::record_bytes - 1, 'a'), Format::text, Unit::text).size(), 1U);
    const std::string longer = std::string(limits::record_bytes - 1, 'a') + "\nb";
    EXPECT_TRUE(
        contains(error_of([&] { (void)read_content(longer, Format::text, Unit::text); }), "accepted for one text"));
}

TEST(Dwug, ColumnsAreFoundByNameAndOthersIgnored) {
    const auto usages =
        read_content("x\tindexes_target_token\tcontext\tlemma\r\n1\t0:4\tBank \"it\r\tbank\r\n", Format::dwug);
    ASSERT_EQ(usages.size(), 1U);
    EXPECT_EQ(usages[0].usage, "Bank");
    EXPECT_TRUE(usages[0].document_name.ends_with(":2"));
}

TEST(Conllu, AFileWithoutDocumentsIsOne) {
    const auto sentences =
        read_content("1\ta\t_\t_\tDT\t_\t_\t_\t_\t_\n\n1\t_\t_\tSYM\t_\t_\t_\t_\t_\t_\n", Format::conllu);
    ASSERT_EQ(sentences.size(), 2U);
    EXPECT_EQ(sentences[1].document, 0U);
    EXPECT_EQ(sentences[0].words, (Texts{"a||DT"}));
    EXPECT_EQ(sentences[1].words, (Texts{"_|_|SYM"}));
}

TEST(Conllu, DocumentsWithoutANameAreNumbered) {
    const auto sentences = read_content("# newdoc\n1\ta\ta\tX\t_\t_\t_\t_\t_\t_\n", Format::conllu);
    ASSERT_EQ(sentences.size(), 1U);
    EXPECT_TRUE(sentences[0].document_name.ends_with("#1"));
}

TEST(Conllu, ATextThatDoesNotFitItsWordsIsNotBelieved) {
    const auto sentences = read_content(
        "# text = Something else\n1\ta\ta\tX\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\tb\tb\tX\t_\t_\t_\t_\t_\t_\n",
        Format::conllu);
    EXPECT_EQ(texts_of(sentences), (Texts{"ab"}));
}

TEST(Vertical, FurtherColumnsAreIgnored) {
    EXPECT_EQ(read_content("<s>\nThe\tthe\tDT\tx\ty\n</s>\n", Format::vertical)[0].words, (Texts{"The|the|DT"}));
}

TEST(Vertical, DocumentsNeedNotBeClosed) {
    const auto sentences = read_content("<doc id=1>\na\ta\tX\n<doc id='2'>\nb\tb\tX\n", Format::vertical);
    ASSERT_EQ(sentences.size(), 2U);
    EXPECT_EQ(sentences[0].document_name, "1");
    EXPECT_EQ(sentences[1].document_name, "2");
}

TEST(Vertical, RemarksAreSkipped) {
    const std::string text = "<!-- made by hand -->\n<s>\na\ta\tX\n<!-- -->\nb\tb\tX\n</s>\n";
    EXPECT_EQ(read_content(text, Format::automatic)[0].words, (Texts{"a|a|X", "b|b|X"}));
    EXPECT_EQ(texts_of(read_content("<?xml version=\"1.0\"?>\n" + text, Format::vertical)), (Texts{"a b"}));
}

TEST(Vertical, JapaneseWordsHaveNoSpacesBetweenThem) {
    EXPECT_EQ(texts_of(read_content("<s>\n川\t川\tN\nの\tの\tP\n</s>\n", Format::vertical)), (Texts{"川の"}));
}

TEST(Bnc, ADepthAtTheLimitIsAccepted) {
    const auto nested = [](std::size_t depth) {
        std::string open;
        std::string close;
        for (std::size_t i = 2; i < depth; ++i) {
            open += "<div>";
            close += "</div>";
        }
        return "<bncDoc>" + open + "<s>text</s>" + close + "</bncDoc>";
    };
    EXPECT_EQ(read_content(nested(limits::xml_depth), Format::bnc).size(), 1U);
    EXPECT_TRUE(
        contains(error_of([&] { (void)read_content(nested(limits::xml_depth + 1), Format::bnc); }), "nests deeper"));
}

TEST(Bnc, AnEndlessTagIsRefusedBeforeItFillsTheMemory) {
    const std::string tag = "<bncDoc>\n<s n='" + std::string(3 * limits::xml_token_bytes, 'x');
    EXPECT_TRUE(contains(error_of([&] { (void)read_content(tag, Format::bnc); }),
                         ":2: holds a tag or comment longer than the 1048576 bytes accepted"));
}

TEST(Bnc, SeveralDocumentsInOneFileAreSeveral) {
    const auto sentences =
        read_content("<bnc><bncDoc xml:id='a'><s>x</s></bncDoc><bncDoc><s>y</s></bncDoc></bnc>", Format::bnc);
    ASSERT_EQ(sentences.size(), 2U);
    EXPECT_EQ(sentences[0].document_name, "a");
    EXPECT_TRUE(sentences[1].document_name.ends_with("#2"));
}

TEST(Tables, ALineAtTheLimitIsAccepted) {
    const auto line = [](std::size_t bytes) { return "a/" + std::string(bytes - 2, 't') + "\n"; };
    EXPECT_EQ(read_content(line(limits::line_bytes), Format::brown).size(), 1U);
    EXPECT_TRUE(contains(error_of([&] { (void)read_content(line(limits::line_bytes + 1), Format::brown); }),
                         ":1: is longer than the 1048576 bytes accepted for a line"));
}

}  // namespace
}  // namespace wordbreadth::corpus
