#include <gtest/gtest.h>

#include "support/corpus_testing.h"

namespace wordbreadth::corpus {
namespace {

std::vector<std::string> several_files() {
    return {good("plain.txt"), good("sample.conllu"), good("records.jsonl"), good("T00.xml.gz"), good("bccwj.tsv")};
}

TEST(Reader, NumbersRunThroughTheWholeCorpus) {
    const auto sentences = read_all(several_files());
    ASSERT_EQ(sentences.size(), 7U + 2U + 5U + 2U + 3U);
    for (std::size_t i = 0; i < sentences.size(); ++i) EXPECT_EQ(sentences[i].number, i);
    EXPECT_EQ(sentences[0].document, 0U);
    EXPECT_EQ(sentences[8].document, 2U);
    EXPECT_EQ(sentences.back().document, 1U + 2U + 3U + 1U + 1U);
}

TEST(Reader, TwoPassesAreTheSame) {
    const auto first = read_all(several_files());
    const auto second = read_all(several_files());
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(first[i].text, second[i].text);
        EXPECT_EQ(first[i].document_name, second[i].document_name);
    }
}

TEST(Reader, GoingToAPlaceGivesTheSameSentences) {
    const auto all = read_all(several_files());
    Reader first = open_corpus(several_files());
    Reader second = open_corpus(several_files());
    for (Sentence sentence; first.next(sentence);) {
        const Place place = first.place();
        second.go_to(place);
        Sentence again;
        ASSERT_TRUE(second.next(again));
        EXPECT_EQ(again.number, place.sentence);
        EXPECT_EQ(again.text, all[place.sentence].text);
        EXPECT_EQ(again.document, all[place.sentence].document);
    }
}

TEST(Reader, APlaceIsTheStartOfTheFileOfTheLastSentence) {
    Reader reader = open_corpus(several_files());
    Sentence sentence;
    while (reader.next(sentence) && sentence.number < 8) continue;
    EXPECT_EQ(reader.place().file, 1U);
    EXPECT_EQ(reader.place().sentence, 7U);
    EXPECT_EQ(reader.place().document, 1U);
}

TEST(Reader, ProgressGrowsToTheTotal) {
    Reader reader = open_corpus(several_files());
    EXPECT_EQ(reader.progress().bytes, 0U);
    std::uint64_t before = 0;
    for (Sentence sentence; reader.next(sentence);) {
        EXPECT_GE(reader.progress().bytes, before);
        before = reader.progress().bytes;
        EXPECT_LE(before, reader.progress().total);
    }
    EXPECT_EQ(reader.progress().bytes, reader.progress().total);
    std::uint64_t total = 0;
    for (const std::string& path : several_files()) total += std::filesystem::file_size(path);
    EXPECT_EQ(reader.progress().total, total);
}

TEST(Reader, CountsWhatItMet) {
    Reader reader = open_corpus(several_files());
    for (Sentence sentence; reader.next(sentence);) continue;
    EXPECT_EQ(reader.sentences(), 19U);
    EXPECT_EQ(reader.documents(), 9U);
}

TEST(Reader, AFileThatVanishesIsTold) {
    auto file = std::make_unique<TemporaryFile>(".txt", "One. Two.");
    const std::string path = file->path();
    Reader reader = open_corpus(std::vector{path});
    file.reset();
    Sentence sentence;
    EXPECT_EQ(error_of([&] { (void)reader.next(sentence); }), path + ": no such file");
}

}  // namespace
}  // namespace wordbreadth::corpus
