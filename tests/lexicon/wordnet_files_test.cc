// WordNet's files, good and bad.
#include <array>
#include <random>

#include "lexicon/lexicon_testing.h"
#include "malformed/malformed.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::lexicon {
namespace {

constexpr std::array names = {"index.noun", "index.verb", "index.adj", "index.adv",
                              "noun.exc",   "verb.exc",   "adj.exc",   "adv.exc"};

// "cut_off.index.noun" is put in the place of index.noun.
TEST(MalformedWordNet, FilesRaiseWhatIsExpected) {
    expect_errors(malformed_folder("wordnet"), 31, [](const std::filesystem::path& path) -> Raised {
        const TemporaryWordNet files;
        const std::string file = path.filename().string(), name = file.substr(file.find('.') + 1);
        files.write(name, content_of(path));
        return {files.error(), files.path(name)};
    });
}

TEST(WordNetFiles, MissingFolderSaysWhatToInstall) {
    const TemporaryWordNet files;
    std::filesystem::remove_all(files.folder());
    EXPECT_EQ(files.error(), files.folder() +
                                 ": no such folder; install Debian's package wordnet-base, or name the folder of "
                                 "WordNet's files");
}

TEST(WordNetFiles, FileInPlaceOfTheFolderIsRefusedUnlessItIsAWordNet) {
    const TemporaryFile file("", "text");
    EXPECT_EQ(
        error_of([&] { const WordNet wordnet(file.path()); }),
        file.path() +
            ":1: found \"text\"; expected a wordnet: LMF, or lines of a synset such as 00001740-n and a word with "
            "tabs between them");
}

TEST(WordNetFiles, MissingFileIsNamed) {
    for (const std::string name : names) {
        const TemporaryWordNet files;
        std::filesystem::remove(files.path(name));
        EXPECT_TRUE(files.error().starts_with(files.path(name) + ": no such file; the folder has to hold")) << name;
    }
}

TEST(WordNetFiles, FolderInPlaceOfAFileIsRefused) {
    const TemporaryWordNet files;
    std::filesystem::remove(files.path("verb.exc"));
    std::filesystem::create_directory(files.path("verb.exc"));
    EXPECT_EQ(files.error(), files.path("verb.exc") + ": is not a regular file; expected a file of WordNet");
}

TEST(WordNetFiles, LineMayHaveItsLimitAndNoMore) {
    const TemporaryWordNet files;
    const std::string content = content_of(files.path("index.noun"));
    const std::string licence(limits::wordnet_line_bytes, ' ');
    files.write("index.noun", licence + "\n" + content);
    EXPECT_EQ(files.error(), "no error");
    files.write("index.noun", licence + " \n" + content);
    EXPECT_EQ(files.error(), files.path("index.noun") + ":1: is longer than the 65536 bytes accepted for a line");
}

TEST(WordNetFiles, FileMayHaveItsLimitAndNoMore) {
    const TemporaryWordNet files;
    std::filesystem::resize_file(files.path("noun.exc"), limits::wordnet_file_bytes);  // filled up with NUL
    EXPECT_FALSE(contains(files.error(), "a file of WordNet may have")) << files.error();
    std::filesystem::resize_file(files.path("noun.exc"), limits::wordnet_file_bytes + 1);
    EXPECT_EQ(files.error(), files.path("noun.exc") + ": has 67108865 bytes; a file of WordNet may have 67108864");
}

TEST(WordNetFiles, LinesMayEndAsOnWindows) {
    const TemporaryWordNet files;
    for (const std::string name : names) {
        std::string content = content_of(files.path(name));
        for (std::size_t at = 0; (at = content.find('\n', at)) != std::string::npos; at += 2) content.insert(at, "\r");
        files.write(name, content);
    }
    EXPECT_EQ(WordNet(files.folder()).senses("axes"), (Senses{.noun = 4, .verb = 2}));
}

TEST(WordNetFiles, LastLineMayLackItsEnd) {
    const TemporaryWordNet files;
    files.write("index.adv", "well r 1 0 1 0 00000404");
    EXPECT_EQ(WordNet(files.folder()).senses("well"), (Senses{.adverb = 1}));
}

TEST(WordNetFiles, ListOfExceptionsMayBeEmpty) {
    const TemporaryWordNet files;
    files.write("noun.exc", "");
    EXPECT_EQ(WordNet(files.folder()).senses("axes"), (Senses{.noun = 1, .verb = 2}));
}

// Some bytes changed, inserted or cut: each file is read or raises InputError, and nothing else happens.
TEST(WordNetFiles, ChangedFilesAreReadOrRefused) {
    constexpr std::string_view telling = " \n\t0129nvra-+@\xFF";
    const TemporaryWordNet files;
    std::mt19937 random(1);
    const auto below = [&random](std::size_t bound) { return random() % bound; };
    int refused = 0;
    for (const std::string name : names) {
        const std::string content = content_of(files.path(name));
        for (int i = 0; i < 60; ++i) {
            std::string changed = content;
            changed.replace(below(changed.size()), below(3), below(3), telling[below(telling.size())]);
            files.write(name, changed);
            EXPECT_NO_THROW(refused += files.error() != "no error") << changed;
        }
        files.write(name, content);
    }
    EXPECT_GT(refused, 100);  // else the changes do not reach what is checked
}

}  // namespace
}  // namespace wordbreadth::lexicon
