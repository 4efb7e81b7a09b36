#include "wordbreadth/store.h"

#include <gtest/gtest.h>

#include <sstream>

#include "store/layout.h"
#include "support/array_testing.h"
#include "support/python.h"
#include "support/small_store.h"

namespace wordbreadth::store {
namespace {

// Everything that can be asked of a store, as one value to compare.
std::string all_of(const std::string& folder) {
    const Store store(folder);
    std::string all = std::to_string(store.dimension());
    for (const auto& [name, value] : store.settings()) all += "|" + name + "=" + value;
    for (const auto& [reason, count] : store.skipped()) all += "|" + reason + std::to_string(count);
    for (std::size_t i = 0; i < store.words().size(); ++i) {
        const StoredWord& word = store.words()[i];
        all += "|" + word.word + std::to_string(word.frequency) + "," + std::to_string(word.usable);
        const auto bytes = std::as_bytes(store.rows(i));
        all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        for (const Occurrence& place : store.occurrences(i))
            all += place.document + place.text + std::to_string(place.row) + "," + std::to_string(place.sentence) +
                   "," + std::to_string(place.start) + "," + std::to_string(place.end);
    }
    return all;
}

TEST(Store, KnowsItsWordsAndHowItWasMade) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    const Store store(folder.path());
    EXPECT_EQ(store.dimension(), small_dimension);
    EXPECT_EQ(store.words().size(), 3U);
    EXPECT_EQ(store.setting("model"), "a model");
    EXPECT_EQ(store.skipped().size(), 2U);
    const auto places = store.occurrences(store.find("money"));
    ASSERT_EQ(places.size(), 1U);
    EXPECT_EQ(places[0].document, "second");
    EXPECT_TRUE(is_store(folder.path()));
}

TEST(Store, ListsCloseWordsForOneItHasNot) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    const Store store(folder.path());
    EXPECT_EQ(error_of([&] { (void)store.find("zebra"); }),
              folder.path() + ": has no word \"zebra\"; it holds \"bank\", \"money\", \"river\"");
    EXPECT_EQ(error_of([&] { (void)store.find("rivers"); }),
              folder.path() + ": has no word \"rivers\"; did you mean \"river\"?");
}

TEST(Store, ThatIsNotFinishedSaysHowFarItIsAndHowToGoOn) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    write_small_shard(folder.path(), 1);
    EXPECT_TRUE(is_store(folder.path()));
    EXPECT_EQ(error_of([&] { Store{folder.path()}; }),
              folder.path() + ": is not finished: 1 of its 2 shards are there; its extraction can be resumed");
}

TEST(Store, IsNotMadeOfJustAnyFolder) {
    const TemporaryFolder folder;
    EXPECT_FALSE(is_store(folder.path()));
    EXPECT_NE(error_of([&] { Store{folder.path()}; }).find("is not a store"), std::string::npos);
}

// Either the flip is told, or it is in a place that says nothing about the clouds.
TEST(Store, WithAFlippedByteInItsCloudsIsNeverReadAsWhole) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    const std::string path = clouds_path(folder.path());
    const std::string whole = content_of(path);
    const std::string expected = all_of(folder.path());
    std::size_t told = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] ^= 0x11;
        write_file(path, damaged);
        std::string found;
        if (error_of([&] { found = all_of(folder.path()); }) != "no error")
            ++told;
        else
            EXPECT_EQ(found, expected) << i;
    }
    EXPECT_GT(told, whole.size() * 9 / 10);
}

TEST(Store, NamesTheWordWhoseVectorsAreDamaged) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    const std::string path = clouds_path(folder.path());
    std::string content = content_of(path);
    content.back() ^= 1;  // river is last
    write_file(path, content);
    const Store store(folder.path());
    EXPECT_EQ(error_of([&] { (void)store.rows(0); }), "no error");
    EXPECT_NE(error_of([&] { (void)store.rows(2); }).find("river: is damaged"), std::string::npos);
}

TEST(Store, WithAnyFlippedByteInItsDatabaseIsTold) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    const std::string path = plan_path(folder.path());
    const std::string whole = content_of(path);
    for (std::size_t i = 0; i < whole.size(); i += 101) {
        std::string damaged = whole;
        damaged[i] ^= 0x11;
        write_file(path, damaged);
        EXPECT_NE(error_of([&] { Store{folder.path()}; }), "no error") << i;
    }
}

TEST(Store, ThatWasCutOffIsTold) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    for (const std::string& path : {clouds_path(folder.path()), plan_path(folder.path())}) {
        const std::string whole = content_of(path);
        for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{8}, std::size_t{0}}) {
            write_file(path, whole.substr(0, size));
            EXPECT_TRUE(error_of([&] { Store{folder.path()}; }).starts_with(folder.path())) << path << size;
        }
        write_file(path, whole);
    }
}

// With the libraries that people have; skipped where they are not installed.
TEST(Store, IsReadByPythonAsWell) {
    const std::string script =
        "import sqlite3, sys\n"
        "try:\n"
        "    from safetensors.numpy import load_file\n"
        "except ImportError:\n"
        "    sys.exit(77)\n"
        "clouds = load_file(sys.argv[1])\n"
        "words = sqlite3.connect(sys.argv[2]).execute('SELECT word, rows FROM word').fetchall()\n"
        "assert len(words) == 3 and len(clouds) == 3, words\n"
        "for word, rows in words:\n"
        "    assert clouds[word].shape == (rows, int(sys.argv[3])), word\n"
        "    assert clouds[word].dtype == 'float32'\n"
        "print(*clouds['river'].ravel().tolist())\n";
    const TemporaryFolder folder;
    write_small_store(folder.path());
    const auto outcome = encoder::tokenizer::run_python(
        {"-c", script, clouds_path(folder.path()), plan_path(folder.path()), std::to_string(small_dimension)});
    if (outcome.code == 77) GTEST_SKIP() << "safetensors is not installed: " << encoder::tokenizer::how_to_install();
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    const Store store(folder.path());
    std::istringstream numbers(outcome.output);
    std::vector<float> seen;
    for (float number = 0; numbers >> number;) seen.push_back(number);
    EXPECT_TRUE(std::ranges::equal(seen, store.rows(store.find("river"))));
}

TEST(Store, WithTheCloudsOfAnotherPlanIsTold) {
    const TemporaryFolder mine, other;
    write_small_store(mine.path());
    write_small_plan(other.path(), "1");
    std::filesystem::copy_file(clouds_path(mine.path()), clouds_path(other.path()));
    EXPECT_NE(error_of([&] { Store{other.path()}; }).find("do not belong together"), std::string::npos);
}

TEST(Store, MayBeClosedBeforeItsClouds) {
    const TemporaryFolder folder;
    write_small_store(folder.path());
    const Cloud cloud = Store(folder.path()).cloud(0);
    const Store store(folder.path());
    const auto rows = store.rows(0);
    const Cloud expected("bank", {rows.begin(), rows.end()}, small_dimension);
    EXPECT_TRUE(std::ranges::equal(cloud.unit_rows(), expected.unit_rows()));
}

}  // namespace
}  // namespace wordbreadth::store
