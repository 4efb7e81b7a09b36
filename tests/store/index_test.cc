#include "store/index.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>

#include "store/layout.h"
#include "support/array_testing.h"
#include "support/small_store.h"
#include "wordbreadth/provenance.h"
#include "wordbreadth/store.h"

namespace wordbreadth::store {
namespace {

namespace fs = std::filesystem;

class StoreIndex : public testing::Test {
  protected:
    // Words of several sizes in documents of 3 rows, whose plan has several pieces; small limits make several files.
    void write(const FileLimits& limits = {}, std::size_t number = 300) const {
        fs::remove_all(store_);
        std::vector<PlannedWord> words;
        for (std::size_t w = 0; w < number; ++w) words.push_back({"word" + std::to_string(100 + w), 50 + w, 2 + w % 7});
        write_store(store_, words, 5, 3, limits);
        ASSERT_GT(pieces_in(fs::file_size(plan_path(store_))), number / 150);
    }

    // All that can be read, one word at a time, as text; or the first error.
    [[nodiscard]] std::string everything() const {
        try {
            const Store store(store_);
            std::string all = std::to_string(store.size()) + " " + store.setting("model") + "\n";
            for (std::size_t i = 0; i < store.size(); ++i) {
                const StoredWord word = store.word(i);
                all += word.word + " " + std::to_string(word.frequency) + " " + std::to_string(word.rows) + " " +
                       std::to_string(store.find(word.word)) + ":";
                for (const float value : store.rows(i)) all += " " + std::to_string(value);
                for (const std::uint64_t document : store.documents(i)) all += " d" + std::to_string(document);
                for (const Occurrence& occurrence : store.occurrences(i)) all += " " + occurrence.text;
                all += " " + store.cloud(i).name() + " " + std::to_string(store.cloud(i).size()) + "\n";
            }
            return all;
        } catch (const InputError& error) {
            return std::string("error: ") + error.what();
        }
    }

    TemporaryFolder folder_;
    std::string store_ = folder_.path() + "/store";
};

TEST_F(StoreIndex, GivesWhatAStoreWithoutOneGives) {
    write();
    const std::string with = everything();
    ASSERT_FALSE(with.starts_with("error")) << with;
    const std::string identity = identify_input(store_).sha256;
    ASSERT_TRUE(fs::remove(index_path(store_)));  // as older versions wrote it
    EXPECT_EQ(everything(), with);
    EXPECT_EQ(identify_input(store_).sha256, identity);
}

// Its bytes are as older versions wrote them.
TEST_F(StoreIndex, LeavesTheCloudsOfOneFileAsTheyWere) {
    write();
    EXPECT_FALSE(fs::exists(clouds_path(store_, {}, 1)));
    EXPECT_FALSE(contains(content_of(clouds_path(store_)), "\"file\":"));
}

TEST_F(StoreIndex, FindsCloudsInSeveralFilesAndDoesWithoutIt) {
    write({}, 40);
    const std::string one = everything();
    // A single word may be larger than a file should be.
    for (const FileLimits& limits :
         {FileLimits{.bytes = 400}, FileLimits{.bytes = 1}, FileLimits{.header_bytes = 2000}}) {
        write(limits, 40);
        ASSERT_TRUE(fs::exists(clouds_path(store_, {}, 1)));
        EXPECT_EQ(everything(), one);
        const InputFile identity = identify_input(store_);
        fs::remove(index_path(store_));
        EXPECT_EQ(everything(), one);
        EXPECT_EQ(identify_input(store_).sha256, identity.sha256);
        EXPECT_EQ(identify_input(store_).bytes, identity.bytes);
    }
}

TEST_F(StoreIndex, FilesKeepToTheirLimits) {
    write({.bytes = 4000});
    std::size_t files = 0;
    for (; fs::exists(clouds_path(store_, {}, files)); ++files) {
        base::File file(clouds_path(store_, {}, files));
        const arrays::SafetensorsHeader header = arrays::read_safetensors_header(file);
        EXPECT_LE(file.size() - header.data_begin, 4000U);
    }
    EXPECT_GT(files, 3U);
    write({.header_bytes = 5000});
    for (files = 0; fs::exists(clouds_path(store_, {}, files)); ++files) {
        base::File file(clouds_path(store_, {}, files));
        EXPECT_LE(arrays::read_safetensors_header(file).data_begin, 5000U + 512U);  // and what is not of words
    }
    EXPECT_GT(files, 3U);
}

// Whatever they are called: in JSON these are twice as long.
TEST_F(StoreIndex, FilesOfAwkwardNamesKeepToTheirLimits) {
    std::vector<PlannedWord> words;
    for (std::size_t w = 0; w < 30; ++w) words.push_back({std::string(90, '"') + std::to_string(100 + w), 9, 2});
    write_store(store_, words, 5, 0, {.header_bytes = 4000});
    std::size_t files = 0;
    for (; fs::exists(clouds_path(store_, {}, files)); ++files) {
        base::File file(clouds_path(store_, {}, files));
        EXPECT_LE(arrays::read_safetensors_header(file).data_begin, 4000U + 512U);
    }
    EXPECT_GT(files, 3U);
    EXPECT_FALSE(everything().starts_with("error"));
}

TEST_F(StoreIndex, WithoutItAMissingOrExchangedFileIsTold) {
    write({.bytes = 4000});
    fs::remove(index_path(store_));
    const std::string second = clouds_path(store_, {}, 1), third = clouds_path(store_, {}, 2);
    const std::string content = content_of(second);
    write_file(second, content_of(third));
    EXPECT_TRUE(contains(everything(), "do not belong together"));
    write_file(second, content);
    fs::remove(third);
    EXPECT_TRUE(contains(everything(), third + ": no such file"));
}

TEST_F(StoreIndex, SaysWhyAWordIsMissing) {
    write();
    const std::string with = error_of([&] { (void)Store(store_).find("word1000"); });
    EXPECT_FALSE(Store(store_).index_of("word1000"));
    EXPECT_FALSE(Store(store_).index_of(""));
    EXPECT_FALSE(Store(store_).index_of("zebra"));
    fs::remove(index_path(store_));
    EXPECT_EQ(error_of([&] { (void)Store(store_).find("word1000"); }), with);
    EXPECT_TRUE(contains(with, "has no word \"word1000\"; did you mean"));
}

// Whatever is changed is an error that names the file, or the folder, or was not needed: never another result.
TEST_F(StoreIndex, NoDamageIsAResult) {
    write({.bytes = 4000});
    const std::string good = everything();
    ASSERT_FALSE(good.starts_with("error")) << good;
    std::mt19937 random(3);
    for (const std::string& path :
         {index_path(store_), clouds_path(store_, {}, 0), clouds_path(store_, {}, 2), plan_path(store_)}) {
        const std::string content = content_of(path);
        std::size_t told = 0;
        for (int i = 0; i < 40; ++i) {
            std::string changed = content;
            if (i % 4 == 0)
                changed.resize(random() % content.size());
            else
                changed[random() % content.size()] ^= static_cast<char>(1U << random() % 8);
            write_file(path, changed);
            const std::string found = everything();
            if (found == good) continue;
            ++told;
            EXPECT_TRUE(found.starts_with("error: " + store_)) << path << ": " << found.substr(0, 100);
            EXPECT_FALSE(contains(found, "\n")) << found;
        }
        EXPECT_GE(told, path == plan_path(store_) ? 30U : 40U) << path;  // it has an index that nothing here uses
        write_file(path, content);
    }
    EXPECT_EQ(everything(), good);
}

TEST_F(StoreIndex, ThatIsDamagedSaysThatTheStoreOpensWithoutIt) {
    write();
    const std::string good = everything();
    std::string content = content_of(index_path(store_));
    content[content.size() / 2] ^= 1;  // a cloud's hash
    write_file(index_path(store_), content);
    EXPECT_EQ(everything(), "error: " + index_path(store_) +
                                ": is damaged; remove the file: without it the store opens, only more slowly");
    fs::remove(index_path(store_));
    EXPECT_EQ(everything(), good);
}

// A piece is checked when it is read, and not before.
TEST_F(StoreIndex, ReadsOnlyWhatIsAskedFor) {
    write();
    std::string plan = content_of(plan_path(store_));
    plan[plan.size() - 100] ^= 1;  // of the last piece: occurrences by sentence
    write_file(plan_path(store_), plan);
    std::string clouds = content_of(clouds_path(store_));
    clouds.back() ^= 1;  // of the last word
    write_file(clouds_path(store_), clouds);
    const Store store(store_);
    EXPECT_EQ(store.cloud(store.find("word250")).size(), store.word(150).rows);
    EXPECT_TRUE(contains(error_of([&] { (void)store.rows(299); }), "clouds.safetensors:word399: is damaged"));
}

TEST_F(StoreIndex, OfAnotherStoreIsRefused) {
    write();
    const std::string index = content_of(index_path(store_));
    fs::remove_all(store_);
    write_small_store(store_);
    write_file(index_path(store_), index);
    EXPECT_TRUE(contains(everything(), "do not belong together"));
}

TEST_F(StoreIndex, OfANewerVersionIsRefused) {
    write();
    std::string content = content_of(index_path(store_));
    content[7] = '2';
    write_file(index_path(store_), content);
    EXPECT_TRUE(contains(everything(), "store.index: is of a newer version"));
}

// Killed before the first file of clouds has its name.
TEST_F(StoreIndex, DoesNotMakeAStoreFinished) {
    write({.bytes = 4000});
    fs::remove(clouds_path(store_));
    EXPECT_TRUE(contains(everything(), "is not finished"));
    EXPECT_FALSE(describe_store(store_).finished);
}

// Killed at any step of putting the files in their places, a store is made again to the same bytes.
TEST_F(StoreIndex, IsTheSameAfterAKill) {
    constexpr FileLimits limits{.bytes = 40};
    const auto finish = [&] {
        for (const std::size_t shard : {0, 1}) write_small_shard(store_, shard);
        Plan plan(store_);
        join_shards(plan, 2, limits);
    };
    const auto files = [&] {
        std::map<std::string, std::string> all;
        for (const auto& entry : fs::directory_iterator(store_))
            all[entry.path().string()] = content_of(entry.path().string());
        return all;
    };
    write_small_plan(store_);
    finish();
    const std::map<std::string, std::string> whole = files();
    ASSERT_EQ(whole.size(), 5U);  // the plan, the index and three files of clouds
    for (const auto& gone : std::vector<std::vector<std::string>>{
             {clouds_path(store_)},
             {clouds_path(store_), clouds_path(store_, {}, 2)},
             {clouds_path(store_), clouds_path(store_, {}, 1), clouds_path(store_, {}, 2)},
             {clouds_path(store_), clouds_path(store_, {}, 1), clouds_path(store_, {}, 2), index_path(store_)}}) {
        for (const std::string& path : gone) fs::remove(path);
        EXPECT_TRUE(contains(error_of([&] { Store{store_}; }), "is not finished"));
        finish();
        EXPECT_EQ(files(), whole);
    }
}

}  // namespace
}  // namespace wordbreadth::store
