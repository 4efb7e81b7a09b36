// A store of several layers: one plan, one run of the encoder, a cloud from each layer.
#include "wordbreadth/layers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "store/layout.h"
#include "store/plan.h"
#include "store/shards.h"
#include "support/array_testing.h"
#include "support/errors.h"
#include "support/snapshot.h"
#include "wordbreadth/error.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/provenance.h"
#include "wordbreadth/write.h"

namespace wordbreadth::extraction {
namespace {

namespace fs = std::filesystem;

const std::vector<LayerRange> asked = {{3, 3}, {1, 1}, {0, 2}, {2, 2}};  // of a model that has three
const std::vector<std::string> stored = {"0-2", "1", "2", "3"};

class SeveralLayers : public testing::Test {
  protected:
    [[nodiscard]] ExtractOptions options(const std::string& out, const std::vector<LayerRange>& layers = asked) const {
        ExtractOptions options = workshop_.options(out);
        options.layers = layers;
        return options;
    }

    [[nodiscard]] std::string error_with(const std::string& layer) const {
        return error_of([&] { Store(workshop_.path("store"), layer); });
    }

    Workshop workshop_{random_lines(300)};
};

TEST_F(SeveralLayers, CloudsOfALayerAreThoseOfAStoreOfItAloneBitForBit) {
    const ExtractSummary summary = extract(options("store"));
    EXPECT_EQ(text_of(summary.layers), "0-2,1,2,3");
    for (const std::string& layer : stored) {
        extract(options("alone", *layers_in(layer)));
        const Store alone(workshop_.path("alone")), among(workshop_.path("store"), layer);
        EXPECT_EQ(among.layer(), layer);
        ASSERT_EQ(among.words().size(), alone.words().size());
        ASSERT_EQ(among.dimension(), alone.dimension());
        for (std::size_t word = 0; word < alone.words().size(); ++word)
            EXPECT_TRUE(std::ranges::equal(among.rows(word), alone.rows(word))) << layer << " " << word;
        EXPECT_EQ(differences(alone, among), "");
        fs::remove_all(workshop_.path("alone"));
    }
}

TEST_F(SeveralLayers, HaveAFileEachThatNamesItsLayer) {
    extract(options("store"));
    const auto files = files_in(workshop_.path("store"));
    EXPECT_EQ(files.size(), 2 + stored.size());
    for (const std::string& layer : stored)
        EXPECT_TRUE(contains(files.at("clouds.layer-" + layer + ".safetensors"), "\"layer\":\"" + layer + "\""));
    // Two files that changed places are noticed.
    const auto path = [&](const char* layer) { return store::clouds_path(workshop_.path("store"), layer); };
    fs::rename(path("1"), path("9"));
    fs::rename(path("2"), path("1"));
    fs::rename(path("9"), path("2"));
    EXPECT_TRUE(contains(error_with("1"), "clouds.layer-1.safetensors: has a damaged header, or is of another"));
    EXPECT_EQ(error_with("3"), "no error");
    fs::remove(store::index_path(workshop_.path("store")));
    EXPECT_TRUE(contains(error_with("1"), "do not belong together"));
}

TEST_F(SeveralLayers, OpenAtTheDefaultWhereItIsAmongThemAndElseNameThem) {
    extract(options("store"));
    const Store store(workshop_.path("store"));
    EXPECT_EQ(store.layer(), "1");  // one third up of three
    EXPECT_EQ(store.layers(), stored);
    EXPECT_EQ(store.setting("layers"), "1");
    const std::string folder = workshop_.path("store");
    EXPECT_EQ(error_with("7"), folder + ": has no layer \"7\"; it has layers 0-2, 1, 2, 3");
    extract(options("others", {{2, 2}, {3, 3}}));
    EXPECT_EQ(error_of([&] { Store(workshop_.path("others")); }),
              workshop_.path("others") + ": has layers 2, 3, and not the default, 1; name one of them");
    EXPECT_EQ(describe_store(folder).layers, stored);
    EXPECT_NE(identify_input(folder).sha256, identify_input(workshop_.path("others")).sha256);
    EXPECT_TRUE(is_file_of_store(store::clouds_path(folder, "1"), folder));
    EXPECT_TRUE(is_file_of_store(store::index_path(folder), folder));
}

TEST_F(SeveralLayers, OfAStoreOfOneLayerThatOneAloneMayBeNamed) {
    extract(options("store", {{1, 1}}));
    EXPECT_EQ(Store(workshop_.path("store"), "1").layer(), "1");
    EXPECT_EQ(error_with("2"), workshop_.path("store") + ": has no layer \"2\"; it has layer 1");
    EXPECT_TRUE(fs::exists(store::clouds_path(workshop_.path("store"))));
}

// Programs that know version 1 alone would look for one file of clouds.
TEST_F(SeveralLayers, AreAStoreOfANewerVersionAndOneIsNot) {
    for (const auto& [layers, version] : {std::pair{asked, 2}, std::pair{std::vector<LayerRange>{{1, 1}}, 1}}) {
        ExtractOptions call = options("version" + std::to_string(version), layers);
        call.plan_only = true;
        extract(call);
        EXPECT_EQ(store::Plan(call.out).version(), version);
    }
}

TEST_F(SeveralLayers, AreTheSameOnAnyNumberOfThreadsInAnyOrderAndInAnyShards) {
    extract(options("one"));
    ExtractOptions three = options("three", {{1, 1}, {2, 2}, {0, 2}, {3, 3}});
    three.threads = 3;
    extract(three);
    EXPECT_EQ(files_in(workshop_.path("one")), files_in(workshop_.path("three")));
    ExtractOptions small = options("small");
    small.shard_tokens = 500;
    extract(small);
    for (const std::string& layer : stored) {
        const Store one(workshop_.path("one"), layer), other(workshop_.path("small"), layer);
        for (std::size_t word = 0; word < one.words().size(); ++word)
            EXPECT_TRUE(std::ranges::equal(one.rows(word), other.rows(word)));
    }
}

// Stopped with some shards done; and killed after some of the clouds had their name.
TEST_F(SeveralLayers, AreResumed) {
    ExtractOptions call = options("whole");
    call.shard_tokens = 500;
    extract(call);
    call.out = workshop_.path("stopped");
    std::stop_source source;
    call.stop = source.get_token();
    int batches = 3;
    call.progress = [&](const ExtractProgress& progress) {
        if (progress.stage == ExtractProgress::Stage::embedding && --batches == 0) source.request_stop();
    };
    EXPECT_THROW(extract(call), Cancelled);
    EXPECT_TRUE(contains(error_of([&] { Store(call.out, "1"); }), "is not finished: "));
    fs::copy_file(store::clouds_path(workshop_.path("whole"), "1"), store::clouds_path(call.out, "1"));
    EXPECT_TRUE(contains(error_of([&] { Store(call.out, "1"); }), "is not finished: "));
    ExtractOptions resuming;
    resuming.out = call.out;
    resuming.resume = true;
    resuming.layers = {{2, 2}};
    EXPECT_TRUE(contains(error_of([&] { extract(resuming); }), "layers \"0-2,1,2,3\"; this call says \"2\""));
    resuming.layers = asked;
    EXPECT_GT(extract(resuming).shards_found, 0U);
    EXPECT_EQ(files_in(workshop_.path("whole")), files_in(call.out));
    EXPECT_EQ(extract(resuming).shards_found, describe_store(call.out).shards);  // nothing is left to do
}

TEST_F(SeveralLayers, ARowOfAShardHasAllLayers) {
    ExtractOptions call = options("store");
    std::stop_source source;
    call.stop = source.get_token();
    call.shard_tokens = 500;
    call.progress = [&](const ExtractProgress& progress) {
        if (progress.stage == ExtractProgress::Stage::embedding) source.request_stop();
    };
    EXPECT_THROW(extract(call), Cancelled);
    const store::Plan plan(call.out);
    const store::ShardFile shard(plan, 0);
    EXPECT_EQ(shard.width() % asked.size(), 0U);
    EXPECT_EQ(shard.rows().size(), plan.shards()[0].rows * shard.width());
}

TEST_F(SeveralLayers, TwiceTheSameIsRefused) {
    EXPECT_EQ(error_of([&] {
                  extract(options("store", {{1, 1}, {2, 2}, {1, 1}}));
              }),
              "layers: 1 is named twice; name each once");
}

TEST(DefaultLayer, IsOneThirdUpAndTheEmbeddingsOnlyWhereThereIsNoLayer) {
    const std::vector<std::pair<std::size_t, std::size_t>> expected = {{0, 0},  {1, 1},  {2, 1},  {3, 1}, {6, 2},
                                                                       {12, 4}, {22, 7}, {24, 8}, {28, 9}};
    for (const auto& [model_layers, layer] : expected) EXPECT_EQ(default_layer(model_layers), layer) << model_layers;
}

TEST(LayersAsText, AreReadAsTheyAreWritten) {
    for (const char* const text : {"4", "0", "2-4", "2,4,6", "1-4,2", "0,10-12"}) {
        const auto layers = layers_in(text);
        ASSERT_TRUE(layers) << text;
        EXPECT_EQ(text_of(*layers), text);
    }
    EXPECT_EQ(text_of(*layers_in("3-3")), "3");
    for (const char* const text : {"", ",", "4,", ",4", "4-2", "-4", "4-", "four", "2 4", "../4", "2,,4", "1-2-3"})
        EXPECT_FALSE(layers_in(text)) << text;
}

// A plan is not trusted: its layers become names of files.
TEST(LayersOfAPlan, AreNothingButLayers) {
    for (const std::string text : {"4", "../../4,5", "2,", ""}) {
        const TemporaryFolder folder;
        {
            store::PlanWriter writer(folder.path(), true);
            writer.add_setting("layers", text);
            writer.add_word({"bank", 1, 1, 1});
            writer.add_shard({0, 0, 1, 1});
            writer.keep();
        }
        const std::string error = error_of([&] { store::Plan plan(folder.path()); });
        EXPECT_TRUE(contains(error, "setting.value of \"layers\" is \"" + text + "\"; expected 2 to")) << error;
    }
}

}  // namespace
}  // namespace wordbreadth::extraction
