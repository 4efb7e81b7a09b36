// What a store says of a word that it does not have.
#include "store/plan.h"

#include <gtest/gtest.h>

#include "base/names.h"
#include "store/database.h"
#include "store/layout.h"
#include "support/array_testing.h"
#include "support/small_store.h"
#include "wordbreadth/store.h"

namespace wordbreadth::store {
namespace {

class MissingWordMessage : public ::testing::Test {
  protected:
    // A store of "bank", "Größe" and "object", and what it says of another word.
    std::string message(const std::vector<std::pair<std::string, std::string>>& settings, const std::string& word,
                        const std::string& sql = {}) {
        const std::string path = folder_.path() + "/store";
        std::filesystem::remove_all(path);
        {
            PlanWriter plan(path);
            for (const auto& [name, value] : settings) plan.add_setting(name, value);
            for (const std::string stored : {"Größe", "bank", "object"}) plan.add_word({stored, 50, 45, 2});
            plan.add_shard({.first_sentence = 0, .last_sentence = 0, .tokens = 9, .rows = 6});
            plan.keep();
        }
        if (!sql.empty()) Database(plan_path(path), Database::Mode::create).execute(sql);
        Plan plan(path);
        const std::string text = error_of([&] { plan.fail_missing(word); });
        EXPECT_TRUE(text.starts_with(path + ": has no word \"" + word + "\"; ")) << text;
        return text.substr(path.size() + word.size() + 18);
    }

    TemporaryFolder folder_;
};

TEST_F(MissingWordMessage, GivesTheReasonThatWasRecorded) {
    EXPECT_EQ(message({{"min count", "40"}, {"case", "lower"}}, "oboe",
                      "CREATE TABLE IF NOT EXISTS missing (word TEXT PRIMARY KEY, frequency INTEGER NOT NULL, usable "
                      "INTEGER NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;"
                      "INSERT INTO missing VALUES ('oboe', 15, 12, 'too rare: 12 usable of 40 needed');"),
              "too rare: 12 usable of 40 needed");
}

TEST_F(MissingWordMessage, KnowsAnotherCase) {
    EXPECT_EQ(message({{"case", "lower"}}, "OBJECT"), "its words are in lower case: did you mean \"object\"?");
    EXPECT_EQ(message({{"case", "keep"}}, "Object"), "did you mean \"object\"?");
    EXPECT_EQ(message({{"case", "keep"}}, "GRÖSSE"), "did you mean \"Größe\"?");
}

TEST_F(MissingWordMessage, ElseNamesTheSettingsThatDecide) {
    const std::string rule =
        "words with fewer than 40 usable occurrences are not in it, nor are words of several tokens";
    EXPECT_EQ(message({{"min count", "40"}, {"subwords", "single"}}, "xylophone"), rule);
    EXPECT_EQ(message({{"min count", "40"}, {"subwords", "single"}}, "bink"), "did you mean \"bank\"? (" + rule + ")");
    EXPECT_EQ(message({{"min count", "2"}, {"subwords", "mean"}, {"words", "a list of 9, sha256 0"}}, "xylophone"),
              "words with fewer than 2 usable occurrences are not in it; it was made for a list of 9 words");
    EXPECT_EQ(message({{"min count", "2"}, {"unit", "text"}}, "xylophone"),
              "labels with fewer than 2 usable texts are not in it");
    EXPECT_EQ(message({{"min count", "40"}, {"case", "lower"}}, "BANK"),
              "its words are in lower case: did you mean \"bank\"?");  // which is all there is to say
    EXPECT_EQ(message({}, "xylophone"), "it holds \"Größe\", \"bank\", \"object\"");
}

TEST_F(MissingWordMessage, NeedNotSuggestAnotherWord) {
    (void)message({{"min count", "40"}}, "bink");
    Plan plan(folder_.path() + "/store");
    EXPECT_EQ(plan.why_missing("bink", false), "words with fewer than 40 usable occurrences are not in it");
    EXPECT_EQ(plan.why_missing("bink"),
              "did you mean \"bank\"? (words with fewer than 40 usable occurrences are not in it)");
}

TEST(CloseNames, AreThoseOfAnotherCaseOrElseTheNearest) {
    const std::vector<std::string> names = {"Bank", "bank", "bark", "bunk", "x"};
    EXPECT_EQ(base::close_names("BANK", names), (std::vector<std::string>{"Bank", "bank"}));
    EXPECT_EQ(base::close_names("bant", names), (std::vector<std::string>{"Bank", "bank"}));
    EXPECT_TRUE(base::close_names("y", names).empty());
    EXPECT_TRUE(base::close_names("", names).empty());
    EXPECT_EQ(base::close_names("bnak", names), (std::vector<std::string>{"Bank", "bank"}));
    EXPECT_EQ(base::close_names("X", names), std::vector<std::string>{"x"});
}

}  // namespace
}  // namespace wordbreadth::store
