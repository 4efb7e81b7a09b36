#include "report/results.h"

#include <gtest/gtest.h>

namespace wordbreadth::report {
namespace {

using Names = std::vector<std::string>;

TEST(DocumentNames, GoWithoutTheFolderThatTheyShare) {
    const DocumentNames found = document_names({"build/demo/a/genesis.txt", "build/demo/a/exodus.txt"});
    EXPECT_EQ(found.folder, "build/demo/a/");
    EXPECT_EQ(found.names, (Names{"genesis.txt", "exodus.txt"}));
    EXPECT_EQ(document_names({"build/one/x", "build/other/x"}).names, (Names{"one/x", "other/x"}));
    EXPECT_EQ(document_names({"A01", "A02"}).names, (Names{"A01", "A02"}));
    EXPECT_EQ(document_names({"/a", "/b"}).folder, "/");
}

TEST(DocumentNames, AreSaidOnceWhereTheyAreAllTheSame) {
    const DocumentNames found = document_names({"a/b.txt", "a/b.txt"});
    EXPECT_EQ(found.only, "a/b.txt");
    EXPECT_TRUE(found.names.empty());
    EXPECT_TRUE(document_names({}).names.empty());
}

TEST(DocumentNames, AreCutWhereTheyAreAlike) {
    EXPECT_EQ(shortened({"a.txt", "b.txt"}, 8), (Names{"a.txt", "b.txt"}));
    EXPECT_EQ(shortened({"chapter-01.txt", "chapter-02.txt"}, 8), (Names{"…-01.txt", "…-02.txt"}));
    EXPECT_EQ(shortened({"chapter-01-of-the-book", "chapter-02-of-the-book"}, 8), (Names{"…1-of-t…", "…2-of-t…"}));
    EXPECT_EQ(shortened({"first-letters.txt", "other-letters.txt"}, 8), (Names{"first-l…", "other-l…"}));
    EXPECT_EQ(shortened({"日本語の本", "日本語の木の上"}, 8), (Names{"…本", "…木の上"}));
    for (const std::string& name : shortened({"a-long-name-that-has-nothing", "common-with-the-other"}, 8))
        EXPECT_EQ(display_width(name), 8U) << name;
}

TEST(DocumentNames, AreNeverCutWithinACharacter) {
    EXPECT_EQ(shortened({"chapter-é-of-the-book", "chapter-è-of-the-book"}, 8), (Names{"…é-of-t…", "…è-of-t…"}));
}

}  // namespace
}  // namespace wordbreadth::report
