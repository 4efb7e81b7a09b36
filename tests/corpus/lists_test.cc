#include "wordbreadth/lists.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/errors.h"
#include "support/temporary.h"

namespace wordbreadth {
namespace {

std::vector<std::string> read(const std::string& content, const ListLimits& limits = {}) {
    const TemporaryFile file(".txt", content);
    std::vector<std::string> entries;
    read_list(
        file.path(), "words",
        [&](std::string_view text, std::uint64_t line) { entries.push_back(std::to_string(line) + std::string(text)); },
        limits);
    return entries;
}

TEST(ListFile, GivesEntriesWithTheirLines) {
    using Entries = std::vector<std::string>;
    EXPECT_EQ(read("\xEF\xBB\xBF# a list\r\none\r\n\r\ntwo\n\nthree"), (Entries{"2one", "4two", "6three"}));
    EXPECT_EQ(read("\xEF\xBB\xBFone"), Entries{"1one"});
    EXPECT_EQ(read(std::string("a\0b\n", 4)), (Entries{std::string("1a\0b", 4)}));
    EXPECT_EQ(read(""), Entries{});
}

TEST(ListFile, IsReadUpToTheLimits) {
    const ListLimits small{.bytes = 12, .line_bytes = 6, .entries = 3};
    EXPECT_EQ(read("a\nb\n#\nc\n", small).size(), 3U);
    EXPECT_EQ(read("123456\nabcd\n", small).size(), 2U);
    EXPECT_EQ(read("123456\nabcde", small).size(), 2U);
    EXPECT_EQ(read("#\n123456", small).size(), 1U);
    EXPECT_EQ(read(std::string(limits::list_line_bytes, 'a') + "\nb").size(), 2U);
}

TEST(ListFile, OnePastALimitIsToldByName) {
    const ListLimits small{.bytes = 12, .line_bytes = 6, .entries = 3};
    const auto error = [&](const std::string& content, const ListLimits& limits) {
        return error_of([&] { (void)read(content, limits); });
    };
    EXPECT_TRUE(contains(error("a\nb\n#\nc\nd\n", small), "lists more than the 3 entries accepted"));
    EXPECT_TRUE(contains(error("123456\nabcde\n", small), "has more than the 12 bytes accepted"));
    EXPECT_TRUE(contains(error("#\n1234567", small), "line 2 has more than the 6 bytes accepted"));
    EXPECT_TRUE(contains(error("1234567\n", small), "line 1 has more than the 6 bytes accepted"));
    EXPECT_TRUE(contains(error(std::string(limits::list_line_bytes + 1, 'a'), {}), "line 1 has more than the 65536"));
}

TEST(BlockLabelFile, HasALabelForEveryRowOfEachCloud) {
    const TemporaryFile file(".tsv", "# cloud\tdocument\nbank\tb\nriver\t1\nbank\ta\nbank\tb\n");
    const BlockLabels found = read_block_labels(file.path());
    EXPECT_EQ(found.clouds.at("bank").labels, (std::vector<std::string>{"b", "a", "b"}));
    EXPECT_EQ(found.clouds.at("bank").line, 2U);
    EXPECT_EQ(found.clouds.at("river").line, 3U);
    for (const auto& [content, part] :
         {std::pair("bank\n", ":1: 1 field; expected"), std::pair("bank\t\n", ":1: a field is empty; expected"),
          std::pair("#\n", "lists no labels; expected a cloud name")}) {
        const TemporaryFile bad(".tsv", content);
        const std::string error = error_of([&] { (void)read_block_labels(bad.path()); });
        EXPECT_TRUE(contains(error, bad.path() + part) || contains(error, part)) << error;
    }
}

TEST(ListFile, ThatCannotBeReadIsTold) {
    const TemporaryFolder folder;
    for (const std::string& path : {folder.path(), folder.path() + "/none"}) {
        const std::string error = error_of([&] { read_list(path, "words", [](std::string_view, std::uint64_t) {}); });
        EXPECT_TRUE(contains(error, "cannot be read (")) << error;
        EXPECT_TRUE(contains(error, "); expected a list of words")) << error;
    }
}

}  // namespace
}  // namespace wordbreadth
