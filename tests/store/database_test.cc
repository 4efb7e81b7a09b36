#include "store/database.h"

#include <gtest/gtest.h>

#include "support/array_testing.h"
#include "support/small_store.h"

namespace wordbreadth::store {
namespace {

TEST(Database, KeepsNumbersTextAndBytes) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/a %?#é.sqlite";  // a name that a URI would not take as it is
    const std::string text("a\0b", 3);
    const std::vector<std::byte> bytes = {std::byte{0}, std::byte{255}};
    {
        Database database(path, Database::Mode::create, "CREATE TABLE t (a, b, c)");
        Statement insert(database, "INSERT INTO t VALUES (?, ?, ?)");
        insert.run(std::int64_t{-7}, text, bytes);
        insert.run(std::uint64_t{8}, std::string_view(), std::span<const std::byte>());
    }
    Database database(path, Database::Mode::read);
    Statement rows(database, "SELECT a, b, c FROM t ORDER BY a");
    ASSERT_TRUE(rows.step());
    EXPECT_EQ(rows.whole(0), -7);
    EXPECT_EQ(rows.text(1), text);
    EXPECT_EQ(rows.bytes(2).size(), 2U);
    EXPECT_EQ(rows.bytes(2)[1], std::byte{255});
    ASSERT_TRUE(rows.step());
    EXPECT_EQ(rows.text(1), "");
    EXPECT_FALSE(rows.step());
}

TEST(Database, ForReadingIsNeverWrittenTo) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/a.sqlite";
    { Database(path, Database::Mode::create, "CREATE TABLE t (a)"); }
    Database database(path, Database::Mode::read);
    EXPECT_NE(error_of([&] { database.execute("INSERT INTO t VALUES (1)"); }).find("readonly"), std::string::npos);
}

TEST(Database, SaysWhichFileIsBad) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/none.sqlite";
    EXPECT_TRUE(error_of([&] {
                    Database(path, Database::Mode::read, "SELECT 1 FROM sqlite_master");
                }).starts_with(path + ": the database says: "));
}

}  // namespace
}  // namespace wordbreadth::store
