#include "store/plan.h"

#include <gtest/gtest.h>

#include "store/layout.h"
#include "support/array_testing.h"
#include "support/errors.h"
#include "support/small_store.h"
#include "support/temporary.h"

namespace wordbreadth::store {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

TEST(Plan, SaysWhatWasWritten) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    Plan plan(folder.path());
    EXPECT_EQ(plan.settings(), (Settings{{"model", "a model"}, {"layers", "4"}, {"seed", "0"}}));
    EXPECT_EQ(plan.setting("layers"), "4");
    EXPECT_EQ(plan.setting("moon"), "");
    ASSERT_EQ(plan.words().size(), 3U);
    EXPECT_EQ(plan.words()[0].word, "bank");
    EXPECT_EQ(plan.words()[0].frequency, 30U);
    EXPECT_EQ(plan.words()[0].usable, 20U);
    EXPECT_EQ(plan.words()[0].rows, 3U);
    ASSERT_EQ(plan.shards().size(), 2U);
    EXPECT_EQ(plan.shards()[1].first_sentence, 2U);
}

TEST(Plan, ListsTheCommonestReasonForSkippingFirst) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    const auto skipped = Plan(folder.path()).skipped();
    ASSERT_EQ(skipped.size(), 2U);
    EXPECT_EQ(skipped[0].reason, "seldom");
    EXPECT_EQ(skipped[0].count, 5U);
}

TEST(Plan, ListsTheWordsThatAreMissing) {
    const TemporaryFolder folder;
    {
        PlanWriter writer(folder.path());
        writer.add_word({"bank", 30, 20, 3});
        writer.add_missing({"zebra", 0, 0, "not in the corpus"});
        writer.add_missing({"moon", 30, 12, "too rare: 12 usable of 40 needed"});
        writer.add_document(0, "document");
        const std::vector<std::int32_t> tokens = {101, 7, 102};
        for (std::uint64_t i = 0; i < 3; ++i) {
            writer.add_sentence({i, 0, "bank", tokens});
            writer.add_occurrence({0, i, i, 0, 4, 1, 1});
        }
        writer.add_shard({0, 2, 9, 3});
        writer.keep();
    }
    EXPECT_EQ(Plan(folder.path()).missing(),
              (std::vector<MissingWord>{{"moon", 30, 12, "too rare: 12 usable of 40 needed"},
                                        {"zebra", 0, 0, "not in the corpus"}}));
}

TEST(Plan, KnowsHowManyOccurrencesAreInCopies) {
    const TemporaryFolder folder;
    {
        PlanWriter writer(folder.path());
        writer.add_word({"bank", 30, 20, 1});
        writer.add_word({"river", 30, 20, 1, 7, 3});
        writer.add_document(0, "document");
        const std::vector<std::int32_t> tokens = {101, 7, 102};
        for (std::uint64_t i = 0; i < 2; ++i) {
            writer.add_sentence({i, 0, "bank", tokens});
            writer.add_occurrence({i, 0, i, 0, 4, 1, 1});
        }
        writer.add_shard({0, 1, 6, 2});
        writer.keep();
    }
    Plan plan(folder.path());
    EXPECT_EQ(plan.words()[0].exact_copies, 0U);
    EXPECT_EQ(plan.words()[1].exact_copies, 7U);
    EXPECT_EQ(plan.words()[1].near_copies, 3U);
    EXPECT_EQ(error_of([&] { plan.check(103); }), "no error");
}

TEST(Plan, IsTheSameWhetherOccurrencesComeOneByOneOrTogether) {
    const std::vector<std::int32_t> tokens(64, 7);
    std::vector<std::string> plans;
    for (const bool together : {false, true}) {
        const TemporaryFolder folder;
        PlanWriter writer(folder.path());
        writer.add_document(0, "document");
        for (std::uint64_t sentence = 0; sentence < 200; ++sentence) {
            writer.add_sentence({sentence, 0, "bank", tokens});
            std::vector<PlannedOccurrence> rows;
            for (std::uint64_t i = 0; i < sentence % 50; ++i) rows.push_back({i, sentence, sentence, i, i + 1, i, 1});
            if (together) {
                writer.add_occurrences(rows);
            } else {
                for (const PlannedOccurrence& row : rows) writer.add_occurrence(row);
            }
        }
        writer.keep();
        plans.push_back(content_of(plan_path(folder.path())));
    }
    EXPECT_EQ(plans[0], plans[1]);
}

// Such as all that were written before there was this table.
TEST(Plan, WithoutMissingWordsHasNoTableOfThem) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    EXPECT_TRUE(Plan(folder.path()).missing().empty());
    for (const char* table : {"missing", "copies"})
        EXPECT_FALSE(contains(content_of(plan_path(folder.path())), table)) << table;
}

TEST(Plan, KnowsWhereEachRowComesFrom) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    const auto places = Plan(folder.path()).occurrences(2);
    ASSERT_EQ(places.size(), 2U);
    EXPECT_EQ(places[1].row, 1U);
    EXPECT_EQ(places[1].document, "second");
    EXPECT_EQ(places[1].sentence, 2U);
    EXPECT_EQ(places[1].text.substr(places[1].start, places[1].end - places[1].start), "river");
}

TEST(Plan, GivesTheWorkOfAShard) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    const ShardWork work = Plan(folder.path()).work_of(0);
    ASSERT_EQ(work.sentences.size(), 2U);
    EXPECT_EQ(work.sentences[0].tokens, (std::vector<std::int32_t>{101, 7, 8, 9, 10, 11, 12, 102}));
    ASSERT_EQ(work.sentences[1].rows.size(), 2U);
    EXPECT_EQ(work.sentences[1].rows[0].word, 2U);  // river stands before bank
    EXPECT_EQ(work.sentences[1].rows[1].word, 0U);
    EXPECT_EQ(work.sentences[1].rows[1].token, 5U);
}

TEST(Plan, KnowsTheWordOfEachRowOfTheShards) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    EXPECT_EQ(Plan(folder.path()).words_of_rows(), (std::vector<std::uint32_t>{0, 2, 0, 1, 0, 2}));
}

TEST(Plan, IsTheSameBytesForTheSameCalls) {
    const TemporaryFolder one, two, other;
    write_small_plan(one.path());
    write_small_plan(two.path());
    write_small_plan(other.path(), "1");
    EXPECT_EQ(content_of(plan_path(one.path())), content_of(plan_path(two.path())));
    EXPECT_EQ(Plan(one.path()).sha256(), Plan(two.path()).sha256());
    EXPECT_NE(Plan(one.path()).sha256(), Plan(other.path()).sha256());
}

TEST(Plan, IsNotThereBeforeItIsKept) {
    const TemporaryFolder folder;
    {
        PlanWriter writer(folder.path());
        writer.add_setting("model", "a model");
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Plan, IsReadWithoutWritingAnythingBesideIt) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    const std::string before = content_of(plan_path(folder.path()));
    Plan plan(folder.path());
    (void)plan.occurrences(0);
    const auto files = std::filesystem::directory_iterator(folder.path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
    EXPECT_EQ(content_of(plan_path(folder.path())), before);
}

TEST(BadPlan, IsToldInOneLine) {
    const TemporaryFolder empty, folder;
    EXPECT_NE(error_of([&] { Plan(empty.path() + "/none"); }).find("no such folder"), std::string::npos);
    EXPECT_NE(error_of([&] { Plan{empty.path()}; }).find("is not a store"), std::string::npos);
    const std::string path = plan_path(folder.path());
    for (const std::string& content : {std::string(), std::string("not a database"), std::string(5000, '\xA7'),
                                       std::string("SQLite format 3\0", 16) + std::string(3000, 'x')}) {
        write_file(path, content);
        const std::string error = error_of([&] { Plan{folder.path()}; });
        EXPECT_TRUE(error.starts_with(path + ": ")) << error;
    }
}

TEST(BadPlan, OfAnotherProgramIsTold) {
    const TemporaryFolder folder;
    { Database(plan_path(folder.path()), Database::Mode::create, "CREATE TABLE word (word TEXT)"); }
    EXPECT_NE(error_of([&] { Plan{folder.path()}; }).find("another program's database"), std::string::npos);
}

TEST(BadPlan, OfANewerVersionIsTold) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    std::string content = content_of(plan_path(folder.path()));
    content[63] = 3;  // the last byte of SQLite's user_version
    write_file(plan_path(folder.path()), content);
    const std::string error = error_of([&] { Plan{folder.path()}; });
    EXPECT_NE(error.find("a store of version 3; this program knows versions 1 to 2"), std::string::npos) << error;
}

TEST(BadPlan, ThatLacksATableIsTold) {
    const TemporaryFolder folder;
    {
        Database(plan_path(folder.path()), Database::Mode::create,
                 "CREATE TABLE other (id INTEGER); PRAGMA application_id = " + std::to_string(store_application_id) +
                     "; PRAGMA user_version = 1");
    }
    EXPECT_NE(error_of([&] { Plan{folder.path()}; }).find("no such table"), std::string::npos);
}

// Whatever is in the file, asking all that can be asked gives an answer or an InputError.
TEST(BadPlan, OfRandomDamageNeverEndsTheProgram) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    const std::string whole = content_of(plan_path(folder.path()));
    std::mt19937 random(3);
    for (int round = 0; round < 150; ++round) {
        std::string damaged = whole;
        for (int byte = 0; byte < 30; ++byte) damaged[random() % damaged.size()] = static_cast<char>(random());
        write_file(plan_path(folder.path()), damaged);
        (void)error_of([&] {
            Plan plan(folder.path());
            (void)plan.settings();
            (void)plan.skipped();
            (void)plan.occurrences(0);
            (void)plan.words_of_rows();
            plan.check(103);
        });
    }
}

TEST(Plan, ASettingThatIsReplacedByOneAsLongLeavesNoTrace) {
    const TemporaryFolder first, later;
    const std::string hash(64, 'f');
    const auto write = [&](const std::string& folder, bool late) {
        PlanWriter plan(folder);
        plan.add_setting("corpus", std::string(9000, 'c'));  // more than a page
        plan.add_setting("model sha256", late ? std::string(64, '0') : hash);
        plan.add_setting("seed", "0");
        plan.add_document(0, "document");
        plan.add_word({"bank", 2, 2, 1});
        plan.add_sentence({0, 0, "bank", std::vector<std::int32_t>{101, 7, 102}});
        plan.add_occurrence({0, 0, 0, 0, 4, 1, 1});
        plan.add_shard({0, 0, 3, 1});
        if (late) plan.replace_setting("model sha256", hash);
        plan.keep();
    };
    write(first.path(), false);
    write(later.path(), true);
    EXPECT_EQ(content_of(plan_path(first.path())), content_of(plan_path(later.path())));
}

}  // namespace
}  // namespace wordbreadth::store
