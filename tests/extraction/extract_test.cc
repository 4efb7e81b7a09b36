#include "wordbreadth/extract.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <semaphore>
#include <set>
#include <thread>

#include "corpus/corpus.h"
#include "encoder/encoder.h"
#include "encoder/tokenizer/tokenizer.h"
#include "store/layout.h"
#include "store/plan.h"
#include "store/shards.h"
#include "support/errors.h"
#include "support/snapshot.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/error.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

namespace fs = std::filesystem;

void expect_error(const ExtractOptions& options, const std::string& part) {
    const std::string error = error_of([&] { extract(options); });
    EXPECT_TRUE(contains(error, part)) << error;
    EXPECT_FALSE(contains(error, "\n")) << error;
}

TEST(Extract, MakesAStoreOfThreeFiles) {
    const Workshop workshop;
    const ExtractSummary summary = extract(workshop.options());
    EXPECT_EQ(summary.words, snapshot_words().size());
    EXPECT_EQ(summary.rows, 30 * snapshot_words().size());
    const auto files = files_in(workshop.path("store"));
    EXPECT_EQ(files.size(), 3U);
    EXPECT_TRUE(files.contains("store.sqlite"));
    EXPECT_TRUE(files.contains("store.index"));
    EXPECT_TRUE(files.contains("clouds.safetensors"));
}

// The definition, step by step: each row is the vector of its word's token in its whole sentence.
TEST(Extract, RowsAreTheVectorsOfTheOccurrencesTheyName) {
    const Workshop workshop;
    extract(workshop.options());
    const Store store(workshop.path("store"));
    const auto tokenizer = encoder::tokenizer::load_tokenizer(workshop.path("model"));
    encoder::RunOptions encoding;
    encoding.layers = {{1, 1}};  // one third up of three
    const auto encoder = encoder::open_cpu_encoder(workshop.path("model"), encoding);
    const std::size_t word = store.find("river");
    const auto occurrences = store.occurrences(word);
    ASSERT_EQ(occurrences.size(), 30U);
    for (const Occurrence& occurrence : occurrences) {
        EXPECT_EQ(occurrence.text.substr(occurrence.start, occurrence.end - occurrence.start), "river");
        const auto tokens = tokenizer.encode(occurrence.text);
        std::size_t token = 0;
        while (tokens.bytes[token].begin != occurrence.start || tokens.bytes[token].end == 0) ++token;
        const std::vector<std::size_t> ends{tokens.size()}, kept{token};
        std::vector<float> expected(store.dimension());
        encoder->encode({tokens.ids, {}, ends, kept}, expected);
        const auto row = store.rows(word).subspan(occurrence.row * store.dimension(), store.dimension());
        // The last bits depend on how many tokens of the sentence are kept.
        for (std::size_t i = 0; i < row.size(); ++i)
            ASSERT_NEAR(row[i], expected[i], 1e-5) << "row " << occurrence.row << ", column " << i;
    }
}

TEST(Extract, IsTheSameOnAnyNumberOfThreads) {
    const Workshop workshop;
    extract(workshop.options("one"));
    ExtractOptions options = workshop.options("three");
    options.threads = 3;
    extract(options);
    EXPECT_EQ(files_in(workshop.path("one")), files_in(workshop.path("three")));
}

TEST(Extract, AnotherSeedDrawsOtherRows) {
    const Workshop workshop;
    extract(workshop.options("zero"));
    ExtractOptions options = workshop.options("one");
    options.seed = 1;
    extract(options);
    const Store zero(workshop.path("zero")), one(workshop.path("one"));
    EXPECT_FALSE(std::ranges::equal(zero.rows(0), one.rows(0)));
}

// Stops after that many batches, from the callback that reports them.
void extract_and_stop(ExtractOptions options, int batches) {
    std::stop_source source;
    options.stop = source.get_token();
    options.progress = [&](const ExtractProgress& progress) {
        if (progress.stage == ExtractProgress::Stage::embedding && --batches == 0) source.request_stop();
    };
    try {
        extract(options);
        FAIL() << "was not stopped";
    } catch (const Cancelled& stop) {
        EXPECT_EQ(std::string(stop.what()), "stopped; the extraction can be resumed");
        EXPECT_EQ(stop.folder(), options.out);
    }
}

// The callback waits for the request, which so comes in the middle of the work.
TEST(Extract, IsStoppedByAnotherThreadAndReportsProgressToItsCaller) {
    const Workshop workshop(random_lines(300));
    ExtractOptions options = workshop.options("stopped");
    std::stop_source source;
    std::binary_semaphore begun(0);
    std::set<std::thread::id> callers;
    options.stop = source.get_token();
    options.threads = 2;
    options.progress = [&](const ExtractProgress&) {
        if (callers.insert(std::this_thread::get_id()).second) begun.release();
        while (!options.stop.stop_requested()) std::this_thread::yield();
    };
    const std::jthread foreign([&] {
        begun.acquire();
        source.request_stop();
    });
    EXPECT_THROW(extract(options), Cancelled);
    EXPECT_EQ(callers, std::set{std::this_thread::get_id()});
}

TEST(Extract, GoesOnWhereItWasStoppedAndEndsWithTheSameBytes) {
    const Workshop workshop(random_lines(3000));
    ExtractOptions options = workshop.options("whole");
    options.per_word = 0;
    options.shard_tokens = 16384;  // a batch
    const ExtractSummary whole = extract(options);
    ASSERT_GE(whole.shards, 2U);
    options.out = workshop.path("stopped");
    extract_and_stop(options, 1);
    EXPECT_THROW(Store{options.out}, InputError);
    EXPECT_EQ(store::state_of(store::Plan(options.out), 0), store::ShardState::finished);
    ExtractOptions resumed;
    resumed.out = options.out;
    resumed.resume = true;
    EXPECT_EQ(extract(resumed).shards_found, 1U);
    EXPECT_EQ(files_in(workshop.path("whole")), files_in(workshop.path("stopped")));
}

TEST(Extract, APlanIsEnoughToGoOnWith) {
    const Workshop workshop;
    extract(workshop.options("whole"));
    ExtractOptions options = workshop.options("planned");
    options.plan_only = true;
    EXPECT_FALSE(extract(options).finished);
    std::filesystem::remove(workshop.path("corpus.txt"));
    ExtractOptions resumed;
    resumed.out = workshop.path("planned");
    resumed.resume = true;
    EXPECT_TRUE(extract(resumed).finished);
    EXPECT_EQ(files_in(workshop.path("whole")), files_in(workshop.path("planned")));
}

TEST(Extract, MakesADamagedShardAgain) {
    const Workshop workshop(random_lines(3000));
    ExtractOptions options = workshop.options("whole");
    options.per_word = 0;
    options.shard_tokens = 16384;
    extract(options);
    options.out = workshop.path("damaged");
    extract_and_stop(options, 1);
    const std::string shard = store::shard_path(options.out, 0);
    std::string bytes = content_of(shard);
    bytes[bytes.size() / 2] ^= 1;
    write_file(shard, bytes);
    options.resume = true;
    EXPECT_EQ(extract(options).shards_damaged, 1U);
    EXPECT_EQ(files_in(workshop.path("whole")), files_in(workshop.path("damaged")));
}

TEST(Extract, AFinishedStoreIsLeftAsItIs) {
    const Workshop workshop;
    extract(workshop.options());
    const auto before = files_in(workshop.path("store"));
    ExtractOptions again = workshop.options();
    again.resume = true;
    EXPECT_EQ(extract(again).tokens_now, 0U);
    EXPECT_EQ(files_in(workshop.path("store")), before);
}

TEST(Extract, ResumeCleansUpWhatAKilledProcessLeft) {
    const Workshop workshop;
    extract(workshop.options("whole"));
    fs::create_directory(workshop.path("killed"));
    write_file(workshop.path("killed/store.sqlite.part-1"), "half a plan");
    ExtractOptions options = workshop.options("killed");
    options.resume = true;
    extract(options);
    EXPECT_EQ(files_in(workshop.path("whole")), files_in(workshop.path("killed")));
}

TEST(Extract, RefusesToGoOnWithOtherSettings) {
    const Workshop workshop;
    extract(workshop.options());
    ExtractOptions options = workshop.options();
    options.resume = true;
    options.seed = 5;
    expect_error(options, "planned with seed \"0\"; this call says \"5\"");
}

TEST(Extract, RefusesToGoOnWithAnotherModel) {
    const Workshop workshop;
    extract(workshop.options());
    write_file(workshop.path("model/vocab.txt"), content_of(workshop.path("model/vocab.txt")) + "zebra\n");
    ExtractOptions options;
    options.out = workshop.path("store");
    options.resume = true;
    expect_error(options, "is not the model that");
}

TEST(Extract, RefusesAFolderThatIsInUse) {
    const Workshop workshop;
    extract(workshop.options());
    expect_error(workshop.options(), "resume its extraction");
    ExtractOptions options = workshop.options("model");
    expect_error(options, "is not an empty folder");
    options.out = workshop.path("corpus.txt");
    expect_error(options, "is a file");
}

TEST(Extract, SaysWhenNoWordIsFrequentEnough) {
    const Workshop workshop;
    ExtractOptions options = workshop.options();
    options.min_count = 100'000;
    expect_error(options, "no word of the corpus has 100000 usable occurrences; the most frequent has");
}

TEST(Extract, RefusesATokenizerOfAnotherModel) {
    const Workshop workshop;
    std::string words;
    for (int i = 0; i < 60; ++i) words += "word" + std::to_string(i) + "\n";
    write_file(workshop.path("model/vocab.txt"), content_of(workshop.path("model/vocab.txt")) + words);
    expect_error(workshop.options(), "different models");
}

TEST(Extract, RefusesMoreTokensThanTheModelTakes) {
    const Workshop workshop;
    ExtractOptions options = workshop.options();
    options.max_tokens = 41;
    expect_error(options, "expected 3 to 40");
}

TEST(Extract, TextsMakeACloudOfEachLabel) {
    const Workshop workshop;
    std::string records;
    for (int i = 0; i < 12; ++i)
        records += R"({"text": "the bank )" + snapshot_words()[i] + R"( of the river", "label": ")" +
                   (i % 2 ? "odd" : "Even") + "\"}\n";
    write_file(workshop.path("texts.jsonl"), records);
    ExtractOptions options = workshop.options();
    options.corpus = {workshop.path("texts.jsonl")};
    options.corpus_format = "auto";
    options.unit = ExtractUnit::text;
    options.min_count.reset();
    options.per_word.reset();
    const ExtractSummary summary = extract(options);
    EXPECT_EQ(summary.unit, ExtractUnit::text);
    EXPECT_EQ(summary.types, 2U);
    const Store store(options.out);
    ASSERT_EQ(store.words().size(), 2U);
    EXPECT_EQ(store.words()[0].word, "Even");
    EXPECT_EQ(store.words()[0].rows, 6U);
    EXPECT_EQ(store.occurrences(0)[1].text, "the bank river of the river");
    options.out = workshop.path("listed");
    options.words = {"Even", "ODD"};  // labels are taken as they are
    const ExtractSummary listed = extract(options);
    EXPECT_EQ(listed.words, 1U);
    ASSERT_EQ(listed.missing.size(), 1U);
    EXPECT_EQ(listed.missing[0].reason, "not in the corpus; other case: did you mean \"odd\"?");
    options.out = workshop.path("rare");
    options.words = {"neither"};
    expect_error(options, "no label of the list can be extracted: \"neither\" (not in the corpus); lower");
    options.words.clear();
    options.min_count = 7;
    expect_error(options, "no label of the corpus has 7 usable texts; the most frequent has 6");
}

TEST(Extract, AStoreIsReadLikeAFileOfClouds) {
    const Workshop workshop;
    extract(workshop.options());
    EXPECT_EQ(cloud_at(workshop.path("store") + ":bank").size(), 30U);
    EXPECT_EQ(CloudSource(workshop.path("store")).names().size(), snapshot_words().size());
}

TEST(Extract, TellsWhyOccurrencesWereSkipped) {
    const Workshop workshop(random_lines(200) + "the zebra and the banks\n");
    const ExtractSummary summary = extract(workshop.options());
    std::map<std::string, std::uint64_t> reasons;
    for (const auto& [reason, count] : summary.skipped) reasons[reason] = count;
    EXPECT_EQ(reasons["is not in the model's vocabulary"], 2U);
    EXPECT_EQ(reasons["is several tokens to the model (subwords single)"], 1U);
}

}  // namespace
}  // namespace wordbreadth::extraction
