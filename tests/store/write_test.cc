#include "wordbreadth/write.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stop_token>

#include "support/errors.h"
#include "support/small_store.h"
#include "wordbreadth/files.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/rank.h"

namespace wordbreadth {
namespace {

WordRows word(const std::string& name, std::vector<float> rows) {
    WordRows made{name, 10, std::move(rows), {}};
    while (made.occurrences.size() * 2 < made.rows.size())
        made.occurrences.push_back({0, made.occurrences.size() % 2 == 0 ? "even" : "odd", 0, "the " + name, 4,
                                    4 + static_cast<std::uint64_t>(name.size())});
    return made;
}

std::vector<WordRows> two_words() {
    return {word("river", {1, 0, 1, 0.5F, 1, -0.5F}), word("bank", {1, 0, 1, 1})};
}

std::string complaint(std::vector<WordRows> words) {
    const TemporaryFolder folder;
    return error_of([&] { write_store(folder.path() + "/store", 2, std::move(words), {}); });
}

TEST(WriteStore, GivesBackWhatWasWritten) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/store";
    write_store(path, 2, two_words(), {{"model", "mine"}, {"layers", "4"}});
    const Store store(path);
    ASSERT_EQ(store.words().size(), 2U);
    EXPECT_EQ(store.words()[0].word, "bank");
    EXPECT_EQ(store.words()[1].frequency, 10U);
    EXPECT_EQ(store.setting("layers"), "4");
    const std::span<const float> rows = store.rows(1);
    EXPECT_EQ(std::vector<float>(rows.begin(), rows.end()), two_words()[0].rows);
    const std::vector<Occurrence> occurrences = store.occurrences(1);
    ASSERT_EQ(occurrences.size(), 3U);
    EXPECT_EQ(occurrences[1].document, "odd");
    EXPECT_EQ(occurrences[1].text, "the river");
    EXPECT_EQ(occurrences[1].start, 4U);
    EXPECT_EQ(rank(store).words.size(), 2U);
}

TEST(WriteStore, NamesTheWordThatIsWrong) {
    auto words = two_words();
    words[1].word = "river";
    EXPECT_NE(complaint(words).find("\"river\" is listed twice"), std::string::npos);
    words = two_words();
    words[0].rows.pop_back();
    EXPECT_NE(complaint(words).find("\"river\": has 5 values for 3 occurrences; expected 2"), std::string::npos);
    words = two_words();
    words[1].rows[3] = std::nanf("");
    EXPECT_NE(complaint(words).find("\"bank\": holds a value that is not finite in row 1"), std::string::npos);
    words = two_words();
    words[1].occurrences[0].end = 99;
    EXPECT_NE(complaint(words).find("stands at characters 4 to 99 in row 0; expected"), std::string::npos);
    words[1].occurrences[0].end = 4;
    EXPECT_NE(complaint(words).find("stands at characters 4 to 4 in row 0; expected"), std::string::npos);
    words = two_words();
    words[1].rows[2] = words[1].rows[3] = 0;
    EXPECT_NE(complaint(words).find("\"bank\": has zeros only, as float32, in row 1"), std::string::npos);
    words = two_words();
    words[1].frequency = 1;
    EXPECT_NE(complaint(words).find("a frequency of 1 and 2 rows"), std::string::npos);
    EXPECT_NE(complaint({}).find("expected at least one word"), std::string::npos);
    words = two_words();
    words[0].word = "__metadata__";
    EXPECT_NE(complaint(words).find("holds the name \"__metadata__\", which no array"), std::string::npos);
}

TEST(WriteStore, HasAsManyDimensionsAsCloudsMayHave) {
    for (const std::size_t more : {0U, 1U}) {
        const TemporaryFolder folder;
        const std::size_t dimension = limits::dimension + more;
        std::vector<WordRows> words{{"bank", 1, std::vector<float>(dimension, 1), {{}}}};
        const std::string error = error_of([&] { write_store(folder.path() + "/store", dimension, words, {}); });
        if (more == 0)
            EXPECT_EQ(Store(folder.path() + "/store").dimension(), dimension);
        else
            EXPECT_EQ(error,
                      folder.path() + "/store: its vectors would have 65537 dimensions; at most 65536 are accepted");
    }
}

TEST(WriteStore, LeavesNothingWhenItFails) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/store";
    auto words = two_words();
    words[0].frequency = limits::stored_number + 1;
    EXPECT_NE(error_of([&] { write_store(path, 2, words, {}); }).find("a frequency of 1000000000000001; at most"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  write_store(path, 2, two_words(), {{"model", "a"}, {"model", "b"}});
              }).find("the setting \"model\" is given twice"),
              std::string::npos);
    std::stop_source stop;
    Execution execution;
    execution.stop = stop.get_token();
    execution.progress = [&](double) {  // in the midst of it
        EXPECT_FALSE(is_store(path));
        stop.request_stop();
    };
    EXPECT_THROW(write_store(path, 2, two_words(), {}, execution), Cancelled);
    EXPECT_FALSE(std::filesystem::exists(path));
    std::filesystem::create_directories(path + "/clouds.safetensors");
    EXPECT_EQ(error_of([&] { write_store(path, 2, two_words(), {}); }),
              path + ": exists and is not an empty folder; name another");
    std::filesystem::remove_all(path);
    write_store(path, 2, two_words(), {});
    EXPECT_EQ(Store(path).words().size(), 2U);
}

TEST(WriteStore, LeavesAStoreAlone) {
    const TemporaryFolder folder;
    write_store(folder.path() + "/store", 2, two_words(), {});
    EXPECT_NE(error_of([&] { write_store(folder.path() + "/store", 2, two_words(), {}); }).find("is already a store"),
              std::string::npos);
}

TEST(WriteClouds, WritesSettingsThatAreNotUtf8) {
    const TemporaryFolder folder;
    write_store(folder.path() + "/store", 2, two_words(), {{"model", "caf\xE9"}});  // a path
    const std::string path = folder.path() + "/clouds.safetensors";
    write_clouds(Store(folder.path() + "/store"), std::vector<std::size_t>{0, 1}, path);
    EXPECT_EQ(load_clouds(path).size(), 2U);
}

TEST(WriteClouds, GivesFilesOfTheSameClouds) {
    const TemporaryFolder folder;
    write_store(folder.path() + "/store", 2, two_words(), {});
    const Store store(folder.path() + "/store");
    for (const std::string ending : {".npz", ".safetensors"}) {
        const std::string path = folder.path() + "/clouds" + ending;
        write_clouds(store, std::vector<std::size_t>{0, 1}, path);
        const std::vector<Cloud> clouds = load_clouds(path);
        ASSERT_EQ(clouds.size(), 2U);
        EXPECT_EQ(clouds[1].name(), "river");
        EXPECT_EQ(clouds[1].row(1)[0], store.cloud(1).row(1)[0]);
    }
    const auto refused = [&](const std::string& path) {
        return error_of([&] { write_clouds(store, std::vector<std::size_t>{0}, path); });
    };
    EXPECT_NE(refused(folder.path() + "/clouds.txt").find("expected a name that ends in"), std::string::npos);
    EXPECT_NE(refused(store.folder() + "/clouds.safetensors").find("is a file of the store itself"), std::string::npos);
}

}  // namespace
}  // namespace wordbreadth
