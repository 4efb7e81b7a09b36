// Plans that somebody changed: every number is checked, the small tables at once, all before a shard is made.
#include <gtest/gtest.h>

#include "store/layout.h"
#include "support/errors.h"
#include "support/small_store.h"

namespace wordbreadth::store {
namespace {

constexpr std::size_t vocabulary = 103;  // of the small plan

void change(const std::string& folder, const std::string& sql) {
    Database(plan_path(folder), Database::Mode::create, sql);
}

struct Forgery {
    std::string sql;
    std::string error;  // a part of it
};

std::string error_of_forged(const Forgery& forgery, bool all) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    change(folder.path(), forgery.sql);
    const std::string error = error_of([&] {
        Plan plan(folder.path());
        if (all) plan.check(vocabulary);
    });
    EXPECT_TRUE(error == "no error" || error.starts_with(plan_path(folder.path()) + ": ")) << error;
    return error;
}

TEST(ForgedPlan, OfASmallTableIsToldWhenItIsOpened) {
    for (const Forgery& forgery : std::vector<Forgery>{
             {"UPDATE word SET frequency = -7 WHERE id = 0", "word.frequency is -7; expected 0 to 1000000000000000"},
             {"UPDATE word SET usable = 1000000000000001", "word.usable is 1000000000000001; expected 0 to"},
             {"UPDATE word SET rows = 0", "word.rows is 0; expected 1 to"},
             {"UPDATE word SET rows = 'many'", "word.rows is \"many\"; expected"},
             {"UPDATE word SET rows = 2.5", "word.rows is \"2.5\"; expected"},
             {"UPDATE word SET id = 9 WHERE id = 2", "word.id is 9; expected 2"},
             {"UPDATE word SET word = 'zebra' WHERE id = 1", "word.word is \"river\" after \"zebra\""},
             {"UPDATE word SET word = '' WHERE id = 0", "name"},
             {"DELETE FROM word", "lists no words"},
             {"DELETE FROM shard", "lists no shards"},
             {"DELETE FROM shard WHERE id = 0", "shard.id is 1; expected 0"},
             {"UPDATE shard SET first_sentence = 1 WHERE id = 1", "shard.first_sentence is 1; expected 2 to"},
             {"UPDATE shard SET last_sentence = -1 WHERE id = 0", "shard.last_sentence is -1; expected 0 to"},
             {"UPDATE shard SET tokens = 0 WHERE id = 1", "shard.tokens is 0; expected 1 to"},
             {"UPDATE shard SET rows = 9223372036854775807", "shard.rows is 9223372036854775807; expected 1 to"},
             {"CREATE TABLE copies (word, exact, near); INSERT INTO copies VALUES (3, 1, 1)",
              "copies.word is 3; expected 0 to 2"},
             {"CREATE TABLE copies (word, exact, near); INSERT INTO copies VALUES (1, -1, 1)",
              "copies.exact is -1; expected 0 to"},
             {"CREATE TABLE copies (word, exact); INSERT INTO copies VALUES (1, 1)", "no such column"}}) {
        const std::string error = error_of_forged(forgery, false);
        EXPECT_TRUE(contains(error, forgery.error)) << forgery.sql << ": " << error;
    }
}

TEST(ForgedPlan, OfAnyTableIsToldBeforeItIsUsed) {
    for (const Forgery& forgery : std::vector<Forgery>{
             {"UPDATE word SET usable = 31 WHERE id = 0", "word.usable of \"bank\" is 31; expected at most its frequ"},
             {"UPDATE word SET usable = 2 WHERE id = 0", "word.rows of \"bank\" is 3; expected at most its usable, 2"},
             {"CREATE TABLE copies (word, exact, near); INSERT INTO copies VALUES (0, 8, 3)",
              "copies of \"bank\" are 8 exact and 3 near ones; expected at most its occurrences that are not usable, "
              "10"},
             {"UPDATE occurrence SET tokens = -1 WHERE word = 0", "occurrence.tokens is -1; expected 1 to 6"},
             {"UPDATE occurrence SET tokens = 9223372036854775807 WHERE word = 1", "occurrence.tokens is 9223372036"},
             {"UPDATE occurrence SET token = 8 WHERE word = 1", "occurrence.token is 8; expected 0 to 7"},
             {"UPDATE occurrence SET token = 7, tokens = 2 WHERE word = 1", "occurrence.tokens is 2; expected 1"},
             {"UPDATE occurrence SET start = 6 WHERE word = 1", "occurrence.end is 5; expected 6 to 29"},
             {"UPDATE occurrence SET \"end\" = 30 WHERE word = 1", "occurrence.end is 30; expected 0 to 29"},
             {"UPDATE occurrence SET start = -1 WHERE word = 1", "occurrence.start is -1; expected 0 to 29"},
             {"UPDATE occurrence SET word = 3 WHERE word = 1", "occurrence.word is 3; expected 0 to 2"},
             {"UPDATE occurrence SET row = 1 WHERE word = 1", "occurrence.row is 1 in sentence 2, for word 1; expec"},
             {"UPDATE occurrence SET row = row + 1 WHERE word = 0 AND row = 2", "expected 2"},
             {"UPDATE occurrence SET sentence = 7 WHERE word = 1", "shard.rows of shard 1 is 3, but its sentences h"},
             {"UPDATE sentence SET id = 5 WHERE id = 2", "shard.tokens of shard 1 is 8, but its sentences have 0"},
             {"INSERT INTO sentence VALUES (5, 0, 'x', x'01000000')", "table sentence has 4 entries, but the shards"},
             {"INSERT INTO sentence VALUES (-5, 0, 'x', x'01000000')", "table sentence has 4 entries"},
             {"INSERT INTO occurrence VALUES (0, 3, 9, 0, 1, 0, 1)", "table occurrence has 7 entries"},
             {"UPDATE shard SET tokens = 17 WHERE id = 0", "shard.tokens of shard 0 is 17, but its sentences have 16"},
             {"UPDATE shard SET rows = 4 WHERE id = 0", "shard.rows of shard 0 is 4, but its sentences have 3"},
             {"UPDATE word SET rows = 2 WHERE id = 0", "word.rows of \"bank\" is 2, but it has 3 occurrences"},
             {"UPDATE sentence SET tokens = x'0100' WHERE id = 1", "sentence.tokens of sentence 1 has 2 bytes"},
             {"UPDATE sentence SET tokens = x'' WHERE id = 1", "sentence.tokens of sentence 1 has 0 bytes"},
             {"UPDATE sentence SET tokens = x'0100000001000000010000000100000001000000010000000100000067000000' "
              "WHERE id = 0",
              "sentence.tokens has the token 103; expected 0 to 102"},
             {"UPDATE sentence SET tokens = x'01000000010000000100000001000000010000000100000001000000ffffffff' "
              "WHERE id = 0",
              "sentence.tokens has the token -1; expected 0 to 102"},
             {"UPDATE sentence SET document = 4 WHERE id = 1", "sentence.document is \"4\" of sentence 1"}}) {
        const std::string error = error_of_forged(forgery, true);
        EXPECT_TRUE(contains(error, forgery.error)) << forgery.sql << ": " << error;
    }
    EXPECT_EQ(error_of_forged({"SELECT 1", ""}, true), "no error");
}

TEST(ForgedPlan, IsToldWhereItsOccurrencesAreListed) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    change(folder.path(),
           "UPDATE occurrence SET \"end\" = 99 WHERE word = 0; UPDATE sentence SET document = 9;"
           "INSERT INTO skipped VALUES ('other', -1); UPDATE source SET bytes = -70");
    Plan plan(folder.path());
    EXPECT_TRUE(contains(error_of([&] { (void)plan.occurrences(1); }), "word.rows of \"money\" is 1, but it has 0"));
    EXPECT_TRUE(contains(error_of([&] { (void)plan.skipped(); }), "skipped.count is -1; expected 0 to"));
    EXPECT_TRUE(contains(error_of([&] { (void)plan.sources(); }), "source.bytes is -70; expected 0 to"));
}

}  // namespace
}  // namespace wordbreadth::store
