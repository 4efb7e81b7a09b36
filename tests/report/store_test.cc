#include "report/results.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/table/text.h"
#include "support/text.h"

namespace wordbreadth::report {
namespace {

StoreDescription example() {
    StoreDescription store;
    store.folder = "brown";
    store.bytes = 84'000'000;
    store.words = 1;
    store.rows = 1200;
    store.dimension = 384;
    store.finished = true;
    store.shards = 3;
    store.settings = {{"model", "a model"}, {"layers", "4"}};
    store.sources = {{"brown/ca01", "brown", 20'000}};
    store.skipped = {{"too long", 1234}};
    store.most_frequent = {{"the", 60'000, 50'000, 1200}};
    return store;
}

TEST(StoreDescription, OfAFinishedStoreIsReadable) {
    EXPECT_EQ(text_of(example(), {}),
              "brown: 1 word, 1,200 rows of 384 dimensions, 84 MB\n"
              "\n"
              "model   a model\n"
              "layers  4\n"
              "\n"
              "read        as      size\n"
              "brown/ca01  brown  20 kB\n"
              "\n"
              "skipped  why\n"
              "  1,234  too long\n"
              "\n"
              "most frequent  frequency  usable   rows\n"
              "the               60,000  50,000  1,200\n");
}

TEST(StoreDescription, ShowsTheFirstFilesAndCountsTheRest) {
    StoreDescription store = example();
    store.sources.resize(11, store.sources[0]);
    EXPECT_NE(text_of(store, {}).find("brown/ca01  brown  20 kB\n... 11 files, 220 kB in all\n"), std::string::npos)
        << text_of(store, {});
    EXPECT_EQ(json_of(store)["sources"].size(), 11U);
}

TEST(StoreDescription, ListsWhatIsMissing) {
    StoreDescription store = example();
    store.missing = {{"zebra", 1200, 12, "too rare: 12 usable of 40 needed"}};
    EXPECT_NE(text_of(store, {}).find("\n"
                                      "missing  frequency  usable  why\n"
                                      "zebra        1,200      12  too rare: 12 usable of 40 needed\n"),
              std::string::npos)
        << text_of(store, {});
    EXPECT_EQ(json_of(store)["missing"].dump(),
              R"([{"word":"zebra","frequency":1200,"usable":12,"reason":"too rare: 12 usable of 40 needed"}])");
    store.missing.resize(25, store.missing[0]);
    EXPECT_NE(text_of(store, {}).find("... 25 in all\n"), std::string::npos);
    EXPECT_EQ(json_of(example())["missing"].dump(), "[]");
}

TEST(StoreDescription, CountsOccurrencesInCopies) {
    StoreDescription store = example();
    EXPECT_TRUE(json_of(store)["most_frequent"][0]["duplicates"].is_null());
    store.settings.push_back({"deduplicate", "near (Jaccard 0.7)"});
    store.most_frequent[0].exact_copies = 300;
    store.most_copied = {{"ebook", 115, 12, 12, 100, 3}};
    const std::string text = text_of(store, {});
    EXPECT_TRUE(contains(text,
                         "\n"
                         "most copied  frequency  in copies  usable\n"
                         "ebook              115        103      12\n"
                         "\n"
                         "most frequent  frequency  usable   rows  in copies\n"
                         "the               60,000  50,000  1,200        300\n"))
        << text;
    EXPECT_EQ(json_of(store)["most_copied"].dump(),
              R"([{"word":"ebook","frequency":115,"exact_copies":100,"near_copies":3,"duplicates":103,"usable":12}])");
    EXPECT_EQ(json_of(store)["most_frequent"][0]["duplicates"], 300);
}

TEST(StoreDescription, OfTextsSpeaksOfLabels) {
    StoreDescription store = example();
    store.settings = {{"unit", "text"}};
    EXPECT_TRUE(text_of(store, {}).starts_with("brown: 1 label, 1,200 rows")) << text_of(store, {});
}

TEST(StoreDescription, OfAnUnfinishedStoreSaysHowToGoOn) {
    StoreDescription store = example();
    store.finished = false;
    store.dimension = 0;
    store.finished_shards = 1;
    store.unusable_shards = 1;
    EXPECT_NE(text_of(store, {}).find("not finished: 1 of 3 shards are done, 1 cannot be used and will be remade; "
                                      "resume with `wordbreadth extract --resume --out brown`\n"),
              std::string::npos)
        << text_of(store, {});
    EXPECT_EQ(json_of(store)["finished_shards"], 1);
    EXPECT_FALSE(json_of(store).contains("dimension"));
}

TEST(StoreDescription, WrapsLongSettings) {
    StoreDescription store = example();
    store.settings = {{"corpus", "one.txt two.txt three.txt four.txt five.txt"}};
    EXPECT_NE(text_of(store, {.width = 40}).find("corpus  one.txt two.txt three.txt\n        four.txt five.txt\n"),
              std::string::npos)
        << text_of(store, {.width = 40});
}

TEST(StoreDescription, GivesEachLineOfASettingItsOwn) {
    StoreDescription store = example();
    store.settings = {{"corpus", "one.txt\ntwo.txt"}, {"dictionary", ""}, {"seed", "0"}};
    EXPECT_NE(text_of(store, {}).find("corpus      one.txt\n            two.txt\nseed        0\n"), std::string::npos)
        << text_of(store, {});
}

TEST(StoreDescription, AsJsonKeepsTheOrderOfTheSettings) {
    const nlohmann::ordered_json json = json_of(example());
    EXPECT_EQ(json["settings"].dump(), R"({"model":"a model","layers":"4"})");
    EXPECT_EQ(json["finished"], true);
    EXPECT_EQ(json["dimension"], 384);
    EXPECT_EQ(json["sources"][0]["path"], "brown/ca01");
    EXPECT_EQ(json["skipped"][0]["count"], 1234);
    EXPECT_EQ(json["most_frequent"][0]["word"], "the");
}

TEST(Bytes, AreRoundedToTwoOrThreeDigits) {
    EXPECT_EQ(bytes(0), "0 bytes");
    EXPECT_EQ(bytes(1), "1 byte");
    EXPECT_EQ(bytes(999), "999 bytes");
    EXPECT_EQ(bytes(1000), "1.0 kB");
    EXPECT_EQ(bytes(999'600), "1.0 MB");
    EXPECT_EQ(bytes(1'540'000'000), "1.5 GB");
    EXPECT_EQ(bytes(123'000'000'000), "123 GB");
    EXPECT_EQ(bytes(~std::uint64_t{0}), "18 EB");
}

}  // namespace
}  // namespace wordbreadth::report
