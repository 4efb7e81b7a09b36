// Wordnets of other languages, as files.
#include <gtest/gtest.h>

#include "lexicon/lexicon_testing.h"

namespace wordbreadth::lexicon {
namespace {

Senses senses_in(const std::string& content, const std::string& word) {
    const TemporaryFile file("", content);
    return WordNet(file.path()).senses(word);
}

std::string error_in(const std::string& content) {
    const TemporaryFile file("", content);
    const std::string error = error_of([&] { const WordNet wordnet(file.path()); });
    return error.starts_with(file.path()) ? error.substr(file.path().size()) : error;
}

TEST(OtherWordNets, TablesOfTheJapaneseWordNetAreRead) {
    const std::string table =
        "00001740-n\t実体\thand\n00001740-v\t息する\thand\n00002000-n\t実体\tmono\n00001740-n\t実体\tmlsn\n"
        "00003000-s\t大きい\thand\n00003001-a\t大きい\thand\n00004000-r\tとても\thand\n";
    EXPECT_EQ(senses_in(table, "実体"), (Senses{2, 0, 0, 0}));
    EXPECT_EQ(senses_in(table, "息する"), (Senses{0, 1, 0, 0}));
    EXPECT_EQ(senses_in(table, "大きい"), (Senses{0, 0, 2, 0}));
    EXPECT_EQ(senses_in(table, "とても"), (Senses{0, 0, 0, 1}));
    EXPECT_EQ(senses_in(table, "避け"), Senses{});
}

TEST(OtherWordNets, TablesOfTheOpenMultilingualWordnetAreRead) {
    const std::string table =
        "# Japanese Wordnet\tjpn\thttp://example.org\twordnet\n00001740-n\tjpn:lemma\t実体\n"
        "00001740-n\tjpn:def\t0\t存在するもの\n00002000-n\tjpn:lemma\t実体\n00002000-n\tjpn:lemma\thot dog\n";
    EXPECT_EQ(senses_in(table, "実体"), (Senses{2, 0, 0, 0}));
    EXPECT_EQ(senses_in(table, "hot dog"), (Senses{1, 0, 0, 0}));
    EXPECT_EQ(senses_in(table, "存在するもの"), Senses{});
}

TEST(OtherWordNets, LmfIsRead) {
    const std::string lmf =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<LexicalResource><Lexicon id=\"jpn\" language=\"jpn\">\n"
        "<LexicalEntry id=\"w1\"><Lemma writtenForm=\"実体\" partOfSpeech=\"n\"/>"
        "<Sense id=\"w1_1\" synset=\"jpn-1.1-00001740-n\"/><Sense id=\"w1_2\" synset=\"jpn-1.1-00002000-n\"/>"
        "</LexicalEntry>\n<LexicalEntry id=\"w2\"><Lemma writtenForm=\"実体\" partOfSpeech=\"v\"/>"
        "<Sense id=\"w2_1\" synset=\"jpn-1.1-00001740-v\"/></LexicalEntry></Lexicon></LexicalResource>\n";
    EXPECT_EQ(senses_in(lmf, "実体"), (Senses{2, 1, 0, 0}));
    EXPECT_EQ(senses_in(lmf, "jpn"), Senses{});
}

TEST(OtherWordNets, WhatIsNoneIsToldWithItsLine) {
    EXPECT_TRUE(error_in("00001740-n\t実体\nword\n").starts_with(":2: found \"word\"; expected a wordnet"));
    EXPECT_TRUE(error_in("00001740-q\t実体\n").starts_with(":1: found "));
    EXPECT_TRUE(error_in("00001740-n\tjpn:lemma\n").starts_with(":1: found no word after \"jpn:lemma\""));
    EXPECT_TRUE(error_in("# nothing\n").starts_with(": has no word")) << error_in("# nothing\n");
    EXPECT_TRUE(error_in("<a><b></a>").starts_with(":1: is not well-formed XML")) << error_in("<a><b></a>");
    EXPECT_TRUE(error_in("<html></html>").starts_with(": has no <LexicalEntry>"));
    EXPECT_TRUE(error_in("<r><LexicalEntry><Lemma writtenForm=\"a\"/><Sense synset=\"x\"/></LexicalEntry></r>")
                    .starts_with(":1: the synset of a sense is \"x\""));
}

}  // namespace
}  // namespace wordbreadth::lexicon
