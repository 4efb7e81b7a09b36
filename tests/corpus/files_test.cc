#include "corpus/corpus.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/corpus_testing.h"

namespace wordbreadth::corpus {
namespace {

using Texts = std::vector<std::string>;

Reader list_of(const TemporaryFolder& folder, Format format = Format::automatic) {
    return open_corpus(std::vector{folder.path()}, {format});
}

Texts names_of(const TemporaryFolder& folder, const Reader& list) {
    Texts names;
    for (const File& file : list.files()) names.push_back(file.path.substr(folder.path().size() + 1));
    return names;
}

std::string error_for(const std::vector<std::string>& paths, Format format = Format::automatic) {
    return error_of([&] { (void)open_corpus(paths, {format}); });
}

TEST(Files, AFolderIsReadToItsLastLeafInByteOrder) {
    const TemporaryFolder folder;
    for (const char* name : {"b.txt", "a/z.txt", "a/b/c.txt", "B.txt", "a.txt", "10.txt", "9.txt", "é.txt"})
        folder.add(name, "x");
    EXPECT_EQ(names_of(folder, list_of(folder)),
              (Texts{"10.txt", "9.txt", "B.txt", "a/b/c.txt", "a/z.txt", "a.txt", "b.txt", "é.txt"}));
}

TEST(Files, PathsAreReadInTheOrderGiven) {
    const auto list = open_corpus(std::vector{good("lines.txt"), good("plain.txt")}, {});
    ASSERT_EQ(list.files().size(), 2U);
    EXPECT_EQ(list.files()[0].path, good("lines.txt"));
}

TEST(Files, PlainTextBesideAnotherFormatIsSkippedAndTold) {
    const TemporaryFolder folder;
    folder.add("a.jsonl", "{\"text\": \"a\"}\n");
    folder.add("LICENSE.txt", "Do as you like.");
    folder.add("image.png", std::string_view("\x89PNG\0", 5));
    folder.add("empty", "");
    folder.add(".hidden", "x");
    const auto list = list_of(folder);
    EXPECT_EQ(names_of(folder, list), (Texts{"a.jsonl"}));
    ASSERT_EQ(list.skipped().size(), 4U);
    EXPECT_EQ(list.skipped()[0].reason, "is hidden");
    EXPECT_EQ(list.skipped()[1].reason, "is plain text among files of the format jsonl");
    EXPECT_EQ(list.skipped()[2].reason, "is empty");
    EXPECT_EQ(list.skipped()[3].reason, "is a binary file; expected text");
}

TEST(Files, TwoFormatsInAFolderAreRefused) {
    const TemporaryFolder folder;
    folder.add("a.jsonl", "{\"text\": \"a\"}\n");
    folder.add("b.conllu", "1\ta\ta\tX\t_\t_\t_\t_\t_\t_\n");
    EXPECT_TRUE(contains(error_for({folder.path()}), "mixes formats: ")) << error_for({folder.path()});
}

TEST(Files, AFolderOfHtmlIsRefusedThoughItHoldsAStyleSheet) {
    const TemporaryFolder folder;
    folder.add("style.css", "body { color: red }");
    folder.add("page.html", "<!doctype html><p>Text.");
    EXPECT_TRUE(contains(error_for({folder.path()}), "page.html: is HTML"));
}

TEST(Files, WithANamedFormatTheUsualEndingsAreTaken) {
    const TemporaryFolder folder;
    folder.add("a.conllu", "");
    folder.add("b.conllu.gz", "");
    folder.add("README.md", "x");
    const auto list = list_of(folder, Format::conllu);
    EXPECT_EQ(names_of(folder, list), (Texts{"a.conllu", "b.conllu.gz"}));
    ASSERT_EQ(list.skipped().size(), 1U);
    EXPECT_EQ(list.skipped()[0].reason, "does not have an ending usual for conllu");
}

TEST(Files, WithANamedFormatAndNoUsualEndingAllFilesAreTaken) {
    const TemporaryFolder folder;
    folder.add("ca01", "The/at bank/nn");
    folder.add("ca02", "The/at bank/nn");
    EXPECT_EQ(names_of(folder, list_of(folder, Format::brown)), (Texts{"ca01", "ca02"}));
    EXPECT_EQ(names_of(folder, list_of(folder, Format::jsonl)), (Texts{"ca01", "ca02"}));
}

TEST(Files, PlainTextIsLabelledByItsFolder) {
    const TemporaryFolder folder;
    folder.add("good/1.txt", "x");
    folder.add("bad/deep/2.txt", "y");
    const auto list = list_of(folder);
    ASSERT_EQ(list.files().size(), 2U);
    EXPECT_EQ(list.files()[0].label, "bad");
    EXPECT_EQ(list.files()[1].label, "good");
    EXPECT_EQ(open_corpus(std::vector{folder.path() + "/good/"}, {}).files()[0].label, "good");
}

TEST(Files, OtherFormatsAreLabelledByTheFile) {
    const TemporaryFolder folder;
    folder.add("prompts.about.art.txt.gz", "x");
    EXPECT_EQ(list_of(folder, Format::lines).files()[0].label, "prompts.about.art");
}

TEST(Files, MissingPathsAndEmptyFoldersAreTold) {
    const TemporaryFolder folder;
    EXPECT_TRUE(contains(error_for({folder.path() + "/none"}), "no such file or folder"));
    EXPECT_TRUE(contains(error_for({folder.path()}), "holds no file that can be read as a corpus"));
    EXPECT_TRUE(contains(error_for({}), "no file or folder was named"));
}

TEST(Files, TheSameFileTwiceIsRefused) {
    EXPECT_TRUE(contains(error_for({good("plain.txt"), good("../good/plain.txt")}), "is named twice"));
    const TemporaryFolder folder;
    folder.add("a.txt", "x");
    EXPECT_TRUE(contains(error_for({folder.path(), folder.path() + "/a.txt"}), "is named twice"));
}

TEST(Files, APipeIsRefusedAtOnce) {
    const TemporaryFolder folder;
    const std::string pipe = folder.path() + "/pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_TRUE(contains(error_for({pipe}), "is neither a file nor a folder"));
    EXPECT_TRUE(contains(error_for({folder.path()}), "holds no file"));
}

TEST(Files, LinksToFoldersAreNotFollowed) {
    const TemporaryFolder folder;
    folder.add("a.txt", "x");
    std::filesystem::create_directory_symlink(folder.path(), folder.path() + "/loop");
    const auto list = list_of(folder);
    EXPECT_EQ(list.files().size(), 1U);
    ASSERT_EQ(list.skipped().size(), 1U);
    EXPECT_EQ(list.skipped()[0].reason, "is a link to a folder");
}

TEST(Formats, AnUnknownNameIsToldWithTheKnownOnes) {
    EXPECT_EQ(error_of([] { (void)format_named("tei"); }),
              "corpus format \"tei\": no such format; expected one of auto, text, lines, jsonl, bnc, bccwj, conllu, "
              "vertical, "
              "dwug, brown");
    EXPECT_EQ(format_named("auto"), Format::automatic);
    EXPECT_EQ(format_named("dwug"), Format::dwug);
}

}  // namespace
}  // namespace wordbreadth::corpus
